import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Settings } from '#settings.ts';
import { takeProcessLock } from '#warehouse/process-lock.ts';
import { findAddress } from './find-address.ts';
import { watchHeartbeat } from './heartbeat.ts';
import { type KeptProcess, keepRunning } from './keep-running.ts';
import { limitConnectionsMax } from './limit-open-files.ts';
import { type DataPaths, dataPathsOf } from './paths.ts';
import { startEngine } from './start-engine.ts';
import { assertDataDir, hasLostLedger, toListenError } from './start-troubles.ts';

/** Everything that serves, from the outside. */
export interface Supervisor {
  /** Where the server answers, once every process is ready. */
  readonly url: string;
  /** Drains and ends every process, the last to be fed first. */
  end(): Promise<void>;
}

/** What the supervisor needs: settings, and where to write its log. */
export type SupervisorOptions = {
  readonly settings: Settings;
  log(level: 'info' | 'warn' | 'error', message: string, fields?: Record<string, unknown>): void;
};

/** A supervisor that was just killed may be gone a moment later only, when the machine is busy. */
const LAST_END_MAX_MS = 2_000;
/** The whole stop is promised within 10 seconds: the web drains first, then the engine. */
const WEB_GRACE_MS = 7_000;
const ENGINE_GRACE_MS = 2_500;

/**
 * Requests wait for the disk together, so that many survive a collection of garbage. Flooded, V8 takes
 * such objects for long-lived ones, makes the next among the old, and collects them as these: four
 * times as much work, for as long as the process runs.
 */
const WEB_FLAGS = [...process.execArgv, '--no-allocation-site-pretenuring'];

/**
 * Starts the process tree of `tributary serve`: web processes and, when embedded, the engine.
 *
 * - Throws when another process serves from the same data directory, or a web process cannot start.
 * - Why so little in here: whatever this process does not do cannot bring the others down.
 */
export async function startSupervisor(options: SupervisorOptions): Promise<Supervisor> {
  const { settings, log } = options;
  const paths = dataPathsOf(settings.dataDir);
  assertDataDir(settings.dataDir);
  const lock = takeProcessLock(paths.serveLock, LAST_END_MAX_MS);
  if (lock === undefined) {
    throw new Error(
      `Another tributary already serves from ${settings.dataDir}, or a command such as verify or rebuild is at work there.`,
    );
  }

  if (hasLostLedger(paths)) {
    log(
      'warn',
      'The ledger is gone, and is made anew, without sites, keys and payments of before.',
      {
        ledger: paths.ledger,
        hint: 'Stop, and bring it back from a backup, before anything else is recorded.',
      },
    );
  }
  const connectionsMax = limitConnectionsMax(settings);
  if (connectionsMax < settings.connectionsMax) {
    const allowed = `the limit of open files (ulimit -n) leaves ${connectionsMax}`;
    log('warn', `CONNECTIONS_MAX is ${settings.connectionsMax}; ${allowed}.`);
  }
  for (const suffix of ['', '-wal', '-shm']) rmSync(paths.visitClaims + suffix, { force: true });
  const engine = settings.clickhouseUrl === undefined ? keepEngine(paths, log) : undefined;
  const webs: Web[] = [];
  async function end(): Promise<void> {
    rmSync(paths.server, { force: true });
    await Promise.all(webs.map((web) => web.kept.end(WEB_GRACE_MS)));
    engine?.stopHeartbeat();
    await engine?.kept.end(ENGINE_GRACE_MS);
    lock?.release();
  }

  try {
    if (settings.webConcurrency > 1) await assertPortIsFree(settings);
    const url = await startWebs(webs, settings, log);
    writeFileSync(paths.server, JSON.stringify({ pid: process.pid, url }));
    return { url, end };
  } catch (error) {
    await end();
    throw error;
  }
}

function keepEngine(paths: DataPaths, log: SupervisorOptions['log']) {
  let stopHeartbeat = () => {};
  const kept: KeptProcess = keepRunning({
    start: () => startEngine(paths),
    onReady(_, pid) {
      stopHeartbeat();
      stopHeartbeat = watchHeartbeat({ pid, socketPath: paths.warehouseSocket }, () => {
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

type Web = ReturnType<typeof keepWeb>;

/**
 * Starts the web processes into `webs`; resolves with the URL of all when every one is ready.
 *
 * Why the first one alone at first: with `PORT=0` it finds the port that the others share.
 */
async function startWebs(
  webs: Web[],
  settings: Settings,
  log: SupervisorOptions['log'],
): Promise<string> {
  const first = keepWeb(0, settings.port, log);
  webs.push(first);
  const url = await first.url;
  for (let index = 1; index < settings.webConcurrency; index++) {
    webs.push(keepWeb(index, portOf(url), log));
  }
  await Promise.all(webs.map((web) => web.url));
  return url;
}

function portOf(url: string): number {
  return Number(new URL(url).port || 80);
}

/** Processes that share a port would share it with a stranger too: so look before. */
async function assertPortIsFree(settings: Settings): Promise<void> {
  const { port } = settings;
  if (port === 0) return;
  const probe = createServer().listen({ host: await findAddress(settings), port });
  await once(probe, 'listening').catch((error) => {
    throw toListenError(error, settings);
  });
  probe.close();
  await once(probe, 'close');
}

/** A web process that dies before it first was ready could not start: that ends the whole start. */
function keepWeb(index: number, firstPort: number, log: SupervisorOptions['log']) {
  const url = Promise.withResolvers<string>();
  let wasReady = false;
  let port = firstPort;
  const kept = keepRunning({
    start: () => {
      const child = fork(pathOf('./web.ts'), [String(index), String(port)], {
        execArgv: WEB_FLAGS,
      });
      child.on('message', (message: { kind?: string; message?: string }) => {
        if (message.kind === 'failed') url.reject(new Error(message.message));
      });
      return child;
    },
    onReady(message) {
      wasReady = true;
      const told = (message as { url: string }).url;
      port = portOf(told); // Whoever is started again answers where the callers know it.
      url.resolve(told);
    },
    onDeath(how) {
      if (!wasReady) url.reject(new Error(`The web process could not start (${how}).`));
      log('warn', 'A web process ended by itself and is started again.', { how, index });
    },
  });
  url.promise.catch(() => {}); // Told through Promise.all; never an unhandled rejection.
  return { kept, url: url.promise };
}

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}
