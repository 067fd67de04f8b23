import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { MAIN } from './program.ts';

/** A real server, with all its processes, on a free loopback port. */
export interface TestServer {
  readonly url: string;
  /** The setup link for the first person; none if there is an owner. */
  readonly startUrl: string | undefined;
  readonly dataDir: string;
  readonly pid: number;
  /** The process ids of the whole tree, supervisor first. */
  pids(): number[];
  /** Its recent stderr, including its log. */
  said(): string;
  /** Stops it with SIGTERM; resolves with its exit code. */
  stop(): Promise<number | null>;
  /** `kill -9` for every process of the tree at once. */
  kill(): Promise<void>;
  /** Removes the data directory, unless the caller passed it. */
  cleanUp(): void;
}

export type TestServerOptions = {
  readonly dataDir?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Another checkout of this program, or its package as npm installs it; default: this checkout. */
  readonly checkout?: string;
  /** After so many exits of its engine before it is ready, it throws: the data cannot be opened. Default: it waits on. */
  readonly engineExitsMax?: number | undefined;
  /** Resolves when it listens, ready or not, for example on a full disk. */
  readonly untilListening?: boolean;
};

/** Tables and exchange rates are ready within a second on an idle machine. No busy one needs this long. */
const READY_MAX_MS = 300_000;
const READY_ANSWER_MAX_MS = 10_000;
const SAID_MAX_CHARS = 20_000;
const ENGINE_EXITED = 'The warehouse exited unexpectedly';

/** A package has no sources of TypeScript. */
function mainOf(checkout: string | undefined): string {
  if (checkout === undefined) return MAIN;
  const main = join(checkout, 'src/cli/main.ts');
  return existsSync(main) ? main : join(checkout, 'bin/tributary.cjs');
}

/** A new folder for one test's data. */
export function makeDataDir(): string {
  return mkdtempSync(join(tmpdir(), 'tributary-test-'));
}

/** Starts `tributary serve`; resolves when ready. If it ends or is never ready, throws with its output. */
export async function startServer(options: TestServerOptions = {}): Promise<TestServer> {
  const dataDir = options.dataDir ?? makeDataDir();
  const child = spawn(process.execPath, [mainOf(options.checkout), 'serve', '--json'], {
    env: testEnv(dataDir, options.env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  let said = '';
  child.stderr.on('data', (text) => {
    said = `${said}${text}`.slice(-SAID_MAX_CHARS);
  });
  const { url, start_url: startUrl } = await readReady(child, () => said);
  const pid = child.pid as number;
  const waits = options.env?.CLICKHOUSE_URL === undefined && !options.untilListening;
  if (waits) await untilReady(url);
  return {
    url,
    startUrl,
    dataDir,
    pid,
    pids: () => treeOf(pid),
    said: () => said,
    stop() {
      child.kill('SIGTERM');
      return exited;
    },
    kill,
    cleanUp() {
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };

  async function kill(): Promise<void> {
    for (const each of treeOf(pid)) killHard(each);
    await exited;
  }
  /** Queries work too. */
  async function untilReady(url: string): Promise<void> {
    const { engineExitsMax = Number.POSITIVE_INFINITY } = options;
    const until = performance.now() + READY_MAX_MS;
    while (!(await isReady(url))) {
      const exits = said.split(ENGINE_EXITED).length - 1;
      if (exits >= engineExitsMax) await giveUp(`the engine exited ${exits} times`);
      if (performance.now() > until) await giveUp(`${READY_MAX_MS / 1_000} s passed`);
      await sleep(50);
    }
  }
  async function giveUp(why: string): Promise<never> {
    await kill();
    throw new Error(`${why} and the server was never ready:\n${said}`);
  }
}

/** The process of a server's engine, if it currently has one. */
export const findEngine = (server: TestServer) => findProcess(server, 'engine-child');

/** The process that answers requests, if there currently is one. */
export const findWeb = (server: TestServer) => findProcess(server, 'processes/web.');

function findProcess(server: TestServer, main: string): number | undefined {
  return server.pids().find((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(main);
    } catch {
      return false; // It ended meanwhile.
    }
  });
}

/** Nobody listens for a moment when a web process dies, for example on a full disk, and is replaced. */
export function isReady(url: string, maxMs = READY_ANSWER_MAX_MS): Promise<boolean> {
  return fetch(`${url}/readyz`, { signal: AbortSignal.timeout(maxMs) }).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.ok;
    },
    () => false,
  );
}

/** Runs one CLI command with `--json`. Throws with its stderr if it fails. */
export async function runCli<T>(
  args: readonly string[],
  dataDir: string,
  checkout?: string,
  env: Readonly<Record<string, string>> = {},
): Promise<T> {
  const command = [mainOf(checkout), ...args, '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, command, {
    env: testEnv(dataDir, env),
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout) as T;
}

function testEnv(dataDir: string, more: Readonly<Record<string, string>> = {}) {
  return {
    ...process.env,
    NODE_TEST_CONTEXT: undefined,
    PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    QUERY_MAX_SECONDS: '55', // A busy machine may need long.
    RATES_URL: '', // No test asks the internet.
    ...more,
  };
}

type Ready = { readonly url: string; readonly start_url?: string };

async function readReady(child: ChildProcess, said: () => string): Promise<Ready> {
  if (child.stdout === null) throw new Error('the server has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    child.stdout.resume();
    return JSON.parse(line) as Ready;
  }
  // Its output ends before it does, and until then it holds the data directory.
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  throw new Error(`the server did not start:\n${said()}`);
}

/** All processes below `root`, by the parents in /proc. */
function treeOf(root: number): number[] {
  const parents = new Map<number, number>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const parent = parentOf(Number(entry));
    if (parent !== undefined) parents.set(Number(entry), parent);
  }
  const tree = [root];
  for (const pid of tree) {
    for (const [child, parent] of parents) if (parent === pid) tree.push(child);
  }
  return tree;
}

function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined; // It ended meanwhile.
  }
}

function killHard(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It already ended by itself.
  }
}
