import { type ChildProcess, fork } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findMistakenSettings, type Settings } from '#settings.ts';
import { isLost } from '#storage/is-lost.ts';
import { takeProcessLock } from '#warehouse/engine/process-lock.ts';
import { releaseStartUpMemory } from '#warehouse/engine/release-start-up-memory.ts';
import { assertEngine } from './assert-engine.ts';
import { findFleeting } from './find-fleeting.ts';
import { watchEngine, watchWeb } from './heartbeat.ts';
import { type KeptProcess, keepProcess } from './keep-process.ts';
import { limitConnectionsMax } from './limit-open-files.ts';
import { type DataPaths, dataPathsOf } from './paths.ts';
import { makeSocketFolder, removeSocketFolder } from './socket-folder.ts';
import { startEngine } from './start-engine.ts';
import { assertDataDir, isPrivate } from './start-troubles.ts';

/** The running process tree. */
export interface Supervisor {
  /** The server's URL. */
  readonly url: string;
  /** The token of the start link, while there is no owner. */
  readonly startToken: string | undefined;
  /** Drains and stops both processes, the web process first. */
  end(): Promise<void>;
}

type SupervisorOptions = {
  readonly settings: Settings;
  log(level: 'info' | 'warn' | 'error', message: string, fields?: Record<string, unknown>): void;
};

type Log = SupervisorOptions['log'];

/** On a busy machine, a killed supervisor may take a moment to release its lock. */
const LAST_END_MAX_MS = 2_000;
/** A stop takes at most 10 seconds in total: the web process drains first, then the engine. */
const WEB_GRACE_MS = 7_000;
const ENGINE_GRACE_MS = 2_500;

/**
 * Requests wait for the disk in groups, so many of their objects survive a young-generation collection.
 * Under load, V8 then concludes that such objects are long-lived and allocates them in the old
 * generation, which is four times as much work for as long as the process runs.
 */
const WEB_FLAGS = [...process.execArgv, '--no-allocation-site-pretenuring'];

/**
 * Starts the process tree of `tributary serve`: the web process and, when embedded, the engine.
 *
 * - Throws if another process uses the same data directory, or the web process cannot start.
 * - Why it does so little: the less it does, the less can go wrong in it and take the others down.
 */
export async function startSupervisor({ settings, log }: SupervisorOptions): Promise<Supervisor> {
  const paths = dataPathsOf(settings.dataDir, settings.databaseUrl);
  assertDataDir(settings.dataDir);
  if (settings.clickhouseUrl === undefined) assertEngine();
  const lock = takeProcessLock(paths.serveLock, LAST_END_MAX_MS);
  if (lock === undefined) {
    const used = `Another server is already running on ${settings.dataDir}, or a command such as verify or rebuild is using it.`;
    throw new Error(used);
  }
  warn(settings, paths, log);
  makeSocketFolder(paths.run);
  let isEnding = false; // Before the engine, whose first start may fail at once.
  const engine =
    settings.clickhouseUrl === undefined
      ? keepEngine(paths, settings, log, () => isEnding)
      : undefined;
  const web = keepWeb(settings.port, log);
  async function end(): Promise<void> {
    isEnding = true;
    rmSync(paths.server, { force: true });
    web.stopHeartbeat();
    await web.kept.end(WEB_GRACE_MS);
    engine?.stopHeartbeat();
    await engine?.kept.end(ENGINE_GRACE_MS);
    removeSocketFolder(paths.run);
    lock?.release();
  }
  try {
    const { url, startToken } = await web.ready;
    const public_url = settings.baseUrl ?? url;
    writeFileSync(paths.server, JSON.stringify({ pid: process.pid, url, public_url }));
    releaseStartUpMemory();
    return { url, startToken, end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Logs problems that do not prevent the server from starting. */
function warn(settings: Settings, paths: DataPaths, log: Log): void {
  for (const mistaken of findMistakenSettings()) log('warn', mistaken);
  if (!isPrivate(settings.dataDir)) {
    log('warn', `Other users of this machine can read DATA_DIR (${settings.dataDir}).`, {
      hint: 'Make the server’s user its owner, set its mode to 700, and keep nothing else in it.',
    });
  }
  const fleeting = findFleeting(settings.dataDir);
  if (fleeting !== undefined) {
    log('warn', `DATA_DIR (${settings.dataDir}) ${fleeting}.`, {
      hint: 'Keep it on a disk; for a container, in a named volume: docker run -v tributary:/data …',
    });
  }
  if (settings.baseUrl?.startsWith('https:') && settings.trustedProxies.length === 0) {
    log('warn', 'BASE_URL is https, so there is a proxy, but TRUSTED_PROXIES names none.', {
      hint: 'Set it to the proxy’s address. Until then, all visitors have that address.',
    });
  }
  if (settings.databaseUrl === undefined && isLost(paths.ledger, paths)) {
    log('warn', 'The ledger is missing. A new one is created, without sites, keys and payments.', {
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

/** A signal to the whole group ends the engine first: it is restarted until the web process has shipped its journal. */
function keepEngine(
  paths: DataPaths,
  { engineMemoryBytes }: Settings,
  log: Log,
  isEnding: () => boolean,
) {
  let stopHeartbeat = () => {};
  const kept: KeptProcess = keepProcess({
    start: () => logBrokenParts(startEngine(paths, engineMemoryBytes), log),
    onReady(_, pid) {
      stopHeartbeat();
      stopHeartbeat = watchEngine({ pid, socketPath: paths.warehouseSocket }, () => {
        log('error', 'The warehouse is not responding; it is killed and restarted.');
        kept.replace();
      });
    },
    onDeath(how) {
      stopHeartbeat();
      if (!isEnding()) log('warn', 'The warehouse exited unexpectedly and is restarted.', { how });
    },
  });
  return { kept, stopHeartbeat: () => stopHeartbeat() };
}

/** Logs the engine's reports about broken parts: those it detached at start, and those that made it exit. */
function logBrokenParts(engine: ChildProcess, log: Log): ChildProcess {
  engine.on('message', ({ kind, parts, brokenParts = [] }: EngineMessage) => {
    if (kind === 'broken') {
      log('error', 'The warehouse wrote broken parts and falls back to their sources.', { parts });
    }
    if (brokenParts.length === 0) return;
    log('error', 'The warehouse found broken parts when it started, and detached them.', {
      parts: brokenParts,
      hint: 'Run verify: events may be missing. rebuild restores them.',
    });
  });
  return engine;
}

type EngineMessage = {
  readonly kind: string;
  readonly parts?: readonly string[];
  readonly brokenParts?: readonly string[];
};

/** The message that the web process sends when it is ready. */
type Ready = Pick<Supervisor, 'url' | 'startToken'>;

/** Keeps the web process running. If it dies before it was ever ready, the start fails. */
function keepWeb(firstPort: number, log: Log) {
  const firstReady = Promise.withResolvers<Ready>();
  let wasReady = false;
  let port = firstPort;
  let child: ChildProcess;
  let stopHeartbeat = () => {};
  const main = fileURLToPath(new URL('./web.ts', import.meta.url));
  const kept = keepProcess({
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
      port = Number(new URL(ready.url).port || 80); // Restarts use the same port.
      firstReady.resolve(ready);
      stopHeartbeat();
      stopHeartbeat = watchWeb(child, () => {
        log('error', 'The web process is not responding; it is killed and restarted.');
        kept.replace();
      });
    },
    onDeath(how) {
      stopHeartbeat();
      if (!wasReady) firstReady.reject(new Error(`The web process could not start (${how}).`));
      log('warn', 'The web process exited unexpectedly and is restarted.', { how });
    },
  });
  firstReady.promise.catch(() => {}); // The caller awaits it later.
  return { kept, ready: firstReady.promise, stopHeartbeat: () => stopHeartbeat() };
}
