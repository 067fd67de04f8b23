import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../run/find-free-port.ts';
import {
  isReady,
  makeDataDir,
  runCli,
  startServer,
  type TestServer,
} from '../server/start-server.ts';
import { askEngine } from '../server/warehouse-door.ts';

/** The tortured site. */
export const SITE = 'torture.example';

/** The processes of one server. */
export type Role = 'supervisor' | 'web' | 'engine';

/** A server with a site and a key, whose port stays the same however often it dies. */
export interface TortureServer {
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  readonly key: string;
  /** Of the ledger, if it is in PostgreSQL. */
  readonly databaseUrl: string | undefined;
  /** The live process of a role; `undefined` during a restart. */
  findPid(role: Role): number | undefined;
  /** Signals the process of a role; false if there currently is none. */
  signal(role: Role, signal: NodeJS.Signals): boolean;
  /** Restarts it after its supervisor has died, as systemd would; resolves when it is ready, or only listens. */
  startAgain(until?: 'listening'): Promise<void>;
  /** `kill -9` for all its processes at once. */
  killAll(): Promise<void>;
  /** Resolves with the time until the server listens and both stores answer; rejects after `maxMs`. */
  untilReady(maxMs: number): Promise<number>;
  /** The rows of an SQL query, bypassing the server, through the engine's own socket. */
  ask(sql: string): Promise<string[][]>;
  stop(): Promise<number | null>;
  /** Removes the data directory. */
  cleanUp(): void;
}

/** An interrupted run leaves nothing running. */
const leftOver = new Set<TestServer>();
process.once('exit', () => leftOver.forEach(endAll));

const READY_MAX_MS = 20_000;
const SCRIPT_BY_ROLE = {
  web: 'processes/web.',
  engine: 'warehouse/engine/engine-child.',
} as const;

/** Where to run it, and its settings. */
export type TortureServerOptions = {
  readonly dataDir?: string;
  readonly env?: Readonly<Record<string, string>>;
};

/** Starts a server with a site and a key, ready for load. */
export async function startTortureServer(
  options: TortureServerOptions = {},
): Promise<TortureServer> {
  const dataDir = options.dataDir ?? makeDataDir();
  return reopenTortureServer(dataDir, await addSite(dataDir, options.env), options.env);
}

/** Adds the site to the ledger, in `dataDir` unless the settings name a database; returns its key. */
export async function addSite(dataDir: string, env?: TortureServerOptions['env']): Promise<string> {
  const { DATABASE_URL } = env ?? {};
  const run = <T>(args: readonly string[]) =>
    runCli<T>(args, dataDir, undefined, DATABASE_URL === undefined ? {} : { DATABASE_URL });
  await run(['site', 'add', SITE, '--currency', 'EUR']);
  return (await run<{ key: string }>(['key', 'create', '--site', SITE])).key;
}

/** Starts a server on data with the site and the key. Rejects if not ready in time. */
export async function reopenTortureServer(
  dataDir: string,
  key: string,
  more: Readonly<Record<string, string>> = {},
  engineExitsMax?: number,
): Promise<TortureServer> {
  const port = await findFreePort();
  const env = { RATE_LIMIT_READS: '0', ...more, PORT: String(port), LOG_LEVEL: 'error' };
  let server: TestServer;
  const start = async (until?: 'listening') => {
    const untilListening = until === 'listening';
    server = await startServer({ dataDir, env, engineExitsMax, untilListening });
    leftOver.add(server);
  };
  const forget = () => leftOver.delete(server);
  await start();
  const url = `http://127.0.0.1:${port}`;

  function findPid(role: Role): number | undefined {
    if (role === 'supervisor') return isAlive(server.pid) ? server.pid : undefined;
    return server.pids().find((pid) => commandOf(pid).includes(SCRIPT_BY_ROLE[role]));
  }
  const tortured: TortureServer = {
    url,
    port,
    dataDir,
    key,
    databaseUrl: more.DATABASE_URL,
    findPid,
    signal(role, signal) {
      const pid = findPid(role);
      return pid !== undefined && process.kill(pid, signal);
    },
    async startAgain(until) {
      forget();
      await start(until);
    },
    killAll: () => server.kill(),
    untilReady: (maxMs) => untilReady(url, maxMs),
    ask: (sql) => askEngine(join(dataDir, 'run', 'warehouse.sock'), sql),
    stop: () => server.stop().finally(forget),
    cleanUp() {
      forget();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  try {
    await tortured.untilReady(READY_MAX_MS);
    return tortured;
  } catch (error) {
    await tortured.killAll();
    forget();
    throw error;
  }
}

async function untilReady(url: string, maxMs: number): Promise<number> {
  const from = performance.now();
  for (;;) {
    const ready = await isReady(url, READY_ANSWER_MAX_MS);
    const tookMs = performance.now() - from;
    if (ready) return tookMs;
    if (tookMs > maxMs) throw new Error(`not ready after ${Math.round(tookMs)} ms`);
    await sleep(20);
  }
}

const READY_ANSWER_MAX_MS = 2_000;

function endAll(server: TestServer): void {
  if (!isAlive(server.pid)) return;
  for (const pid of server.pids()) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // It has ended.
  }
}

/** The number of files, including sockets, that a process has open. */
export function countDescriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}
