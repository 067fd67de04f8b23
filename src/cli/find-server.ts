import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { dataPathsOf } from '#processes/paths.ts';

/** The embedded warehouse makes its tables at the first start. */
const STARTS_WITHIN_MS = 30_000;
const PAUSE_MS = 50;

/** A server to talk to. Ending it ends only what was started for the occasion. */
export interface FoundServer {
  readonly url: string;
  end(): Promise<void>;
}

/** The server that serves from a data directory, else one that is started on a free port. */
export async function findServer(dataDir: string): Promise<FoundServer> {
  const url = readServerUrl(dataDir);
  const isServing = url !== undefined && (await isOk(url, '/healthz')) && (await becomesReady(url));
  return isServing ? { url, end: async () => {} } : startServer();
}

/** Where the server of a data directory answers, or did when it ended badly. */
export function readServerUrl(dataDir: string): string | undefined {
  try {
    const { url } = JSON.parse(readFileSync(dataPathsOf(dataDir).server, 'utf8'));
    return typeof url === 'string' ? url : undefined;
  } catch {
    return undefined; // There is none, or it is being written.
  }
}

/** False also where nobody listens: a killed server leaves its address behind. */
async function isOk(url: string, path: '/healthz' | '/readyz'): Promise<boolean> {
  const answer = await fetch(new URL(path, url)).catch(() => undefined);
  return answer?.ok === true;
}

/** A server that serves may not have its warehouse yet. */
async function becomesReady(url: string): Promise<boolean> {
  const deadline = Date.now() + STARTS_WITHIN_MS;
  while (!(await isOk(url, '/readyz'))) {
    if (Date.now() > deadline) return false;
    await pause(PAUSE_MS);
  }
  return true;
}

async function startServer(): Promise<FoundServer> {
  const main = fileURLToPath(new URL('./main.ts', import.meta.url));
  const child = fork(main, ['serve', '--json'], {
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const exit = once(child, 'exit');
  const end = async () => {
    child.kill('SIGTERM');
    await exit;
  };
  if (child.stdout === null) throw new Error('The server has no output.');
  const lines = createInterface({ input: child.stdout });
  const said = await Promise.race([once(lines, 'line'), exit.then(() => undefined)]);
  if (said === undefined) throw new Error('No server could be started.');
  const { url } = JSON.parse(String(said[0])) as { url: string };
  if (await becomesReady(url)) return { url, end };
  await end();
  throw new Error('The server that was started is not ready.');
}
