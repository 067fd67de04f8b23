import { type ChildProcess, fork } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findMistakenSettings, type Settings } from '#settings.ts';
import { takeProcessLock } from '#warehouse/engine/process-lock.ts';
import { releaseStartUpMemory } from '#warehouse/engine/release-start-up-memory.ts';
import { watchEngine, watchWeb } from './heartbeat.ts';
import { type KeptProcess, keepRunning } from './keep-running.ts';
import { limitConnectionsMax } from './limit-open-files.ts';
import { type DataPaths, dataPathsOf } from './paths.ts';
import { startEngine } from './start-engine.ts';
import { assertDataDir, hasLostLedger, isPrivate } from './start-troubles.ts';

/** Everything that serves, from the outside. */
export interface Supervisor {
  /** Where the server answers, once every process is ready. */
  readonly url: string;
  /** The token of a link by which the first person begins, while there is nobody. */
  readonly startToken: string | undefined;
  /** Drains and ends both processes, the web process first. */
  end(): Promise<void>;
}

/** What the supervisor needs: settings, and where to write its log. */
export type SupervisorOptions = {
  readonly settings: Settings;
  log(level: 'info' | 'warn' | 'error', message: string, fields?: Record<string, unknown>): void;
};

type Log = SupervisorOptions['log'];

/** A supervisor that was just killed may be gone a moment later only, when the machine is busy. */
const LAST_END_MAX_MS = 2_000;
/** The whole stop is promised within 10 seconds: the web process drains first, then the engine. */
const WEB_GRACE_MS = 7_000;
const ENGINE_GRACE_MS = 2_500;

/**
 * Requests wait for the disk together, so that many survive a garbage collection. Flooded, V8 takes
 * such objects for long-lived ones and allocates the next ones among the old: four times as much work,
 * for as long as the process runs.
 */
const WEB_FLAGS = [...process.execArgv, '--no-allocation-site-pretenuring'];

/**
 * Starts the process tree of `tributary serve`: the web process and, when embedded, the engine.
 *
 * - Throws when another process serves from the same data directory, or the web process cannot start.
 * - Why so little in here: what this process does not do cannot bring the others down.
 */
export async function startSupervisor({ settings, log }: SupervisorOptions): Promise<Supervisor> {
  const paths = dataPathsOf(settings.dataDir);
  assertDataDir(settings.dataDir);
  const lock = takeProcessLock(paths.serveLock, LAST_END_MAX_MS);
  if (lock === undefined) {
    throw new Error(
      `Another tributary already serves from ${settings.dataDir}, or a command such as verify or rebuild is at work there.`,
    );
  }
  warn(settings, paths, log);
  const engine =
    settings.clickhouseUrl === undefined ? keepEngine(paths, settings, log) : undefined;
  const web = keepWeb(settings.port, log);
  async function end(): Promise<void> {
    rmSync(paths.server, { force: true });
    web.stopHeartbeat();
    await web.kept.end(WEB_GRACE_MS);
    engine?.stopHeartbeat();
    await engine?.kept.end(ENGINE_GRACE_MS);
    lock?.release();
  }
  try {
    const { url, startToken } = await web.ready;
    writeFileSync(paths.server, JSON.stringify({ pid: process.pid, url }));
    releaseStartUpMemory();
    return { url, startToken, end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Logs what does not keep the server from starting. */
function warn(settings: Settings, paths: DataPaths, log: Log): void {
  for (const mistaken of findMistakenSettings()) log('warn', mistaken);
  if (!isPrivate(settings.dataDir)) {
    log('warn', `Others on this machine may look into DATA_DIR (${settings.dataDir}).`, {
      hint: 'Give it to the user that serves, with mode 700 and nothing else in it.',
    });
  }
  if (hasLostLedger(paths)) {
    log('warn', 'The ledger is gone. A new one is made, without the sites, keys and payments.', {
      ledger: paths.ledger,
      hint: 'Stop the server and restore the ledger from a backup before anything is recorded.',
    });
  }
  const connectionsMax = limitConnectionsMax(settings);
  if (connectionsMax < settings.connectionsMax) {
    const allowed = `the limit of open files (ulimit -n) leaves ${connectionsMax}`;
    log('warn', `CONNECTIONS_MAX is ${settings.connectionsMax}; ${allowed}.`);
  }
}

function keepEngine(paths: DataPaths, { engineMemoryBytes }: Settings, log: Log) {
  let stopHeartbeat = () => {};
  const kept: KeptProcess = keepRunning({
    start: () => logBrokenParts(startEngine(paths, engineMemoryBytes), log),
    onReady(_, pid) {
      stopHeartbeat();
      stopHeartbeat = watchEngine({ pid, socketPath: paths.warehouseSocket }, () => {
        log('error', 'The warehouse is silent; it is killed and started again.');
        kept.replace();
      });
    },
    onDeath(how) {
      stopHeartbeat();
      log('warn', 'The warehouse ended by itself and is started again.', { how });
    },
  });
  return { kept, stopHeartbeat: () => stopHeartbeat() };
}

/** Logs what the engine reports of its files: what it put away when it started, and why it ends itself. */
function logBrokenParts(engine: ChildProcess, log: Log): ChildProcess {
  engine.on('message', ({ kind, parts, brokenParts = [] }: EngineMessage) => {
    if (kind === 'broken') {
      log('error', 'The warehouse wrote broken parts and takes what they were made of.', { parts });
    }
    if (brokenParts.length === 0) return;
    log('error', 'The warehouse found broken parts when it started, and put them away.', {
      parts: brokenParts,
      hint: 'Run verify: events may be missing, and rebuild brings them back.',
    });
  });
  return engine;
}

type EngineMessage = {
  readonly kind: string;
  readonly parts?: readonly string[];
  readonly brokenParts?: readonly string[];
};

/** What the web process reports when it answers. */
type Ready = Pick<Supervisor, 'url' | 'startToken'>;

/** A web process that dies before it is ready for the first time ends the whole start. */
function keepWeb(firstPort: number, log: Log) {
  const firstReady = Promise.withResolvers<Ready>();
  let wasReady = false;
  let port = firstPort;
  let child: ChildProcess;
  let stopHeartbeat = () => {};
  const main = fileURLToPath(new URL('./web.ts', import.meta.url));
  const kept = keepRunning({
    start: () => {
      child = fork(main, [String(port)], { execArgv: WEB_FLAGS });
      child.on('message', (message: { kind?: string; message?: string }) => {
        if (message.kind === 'failed') firstReady.reject(new Error(message.message));
      });
      return child;
    },
    onReady(message) {
      wasReady = true;
      const ready = message as Ready;
      port = Number(new URL(ready.url).port || 80); // A restart answers where callers know it.
      firstReady.resolve(ready);
      stopHeartbeat();
      stopHeartbeat = watchWeb(child, () => {
        log('error', 'The web process is silent; it is killed and started again.');
        kept.replace();
      });
    },
    onDeath(how) {
      stopHeartbeat();
      if (!wasReady) firstReady.reject(new Error(`The web process could not start (${how}).`));
      log('warn', 'The web process ended by itself and is started again.', { how });
    },
  });
  firstReady.promise.catch(() => {}); // The caller awaits it later.
  return { kept, ready: firstReady.promise, stopHeartbeat: () => stopHeartbeat() };
}
