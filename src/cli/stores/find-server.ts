import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { waitUntil } from '#jobs/wait.ts';
import { dataPathsOf } from '#processes/paths.ts';
import { readSettings } from '#settings.ts';

/** Allows for a first start, when the embedded warehouse creates its tables. */
const START = { everyMs: 50, maxMs: 30_000 };

/** A server to send requests to. `end` stops it only if it was started by this command. */
interface FoundServer {
  readonly url: string;
  end(): Promise<void>;
}

/** Finds the running server of the data directory, or starts one on a free port. */
export async function findServer(): Promise<FoundServer> {
  const { url } = readServer(readSettings().dataDir);
  const isServing = url !== undefined && (await isOk(url, '/healthz')) && (await becomesReady(url));
  return isServing ? { url, end: async () => {} } : startServer();
}

/** Posts to a server. Returns the HTTP status. */
export async function postToServer(
  { url }: FoundServer,
  path: string,
  body: string,
  headers: Record<string, string>,
): Promise<number> {
  return (await fetch(new URL(path, url), { method: 'POST', body, headers })).status;
}

/** The URL that browsers know the server by: as set, or as the running server has it. */
export function findPublicUrl(): string {
  const { baseUrl, dataDir, port } = readSettings();
  return baseUrl ?? readServer(dataDir).public_url ?? `http://127.0.0.1:${port}`;
}

/** The URL of the running server of `DATA_DIR`; undefined if none has run. */
export function findServerUrl(): string | undefined {
  return readServer(readSettings().dataDir).url;
}

/** What a data directory's server says of itself. May be stale if the server was killed. */
function readServer(dataDir: string): { readonly url?: string; readonly public_url?: string } {
  try {
    return JSON.parse(readFileSync(dataPathsOf(dataDir).server, 'utf8'));
  } catch {
    return {}; // The file is missing or half written.
  }
}

/** False if nothing listens there: a killed server leaves its URL behind. */
async function isOk(url: string, path: '/healthz' | '/readyz'): Promise<boolean> {
  const answer = await fetch(new URL(path, url)).catch(() => undefined);
  return answer?.ok === true;
}

/** Waits for the warehouse, which may start later than the server. */
function becomesReady(url: string): Promise<boolean> {
  return waitUntil(() => isOk(url, '/readyz'), START);
}

async function startServer(): Promise<FoundServer> {
  const main = fileURLToPath(new URL('../main.ts', import.meta.url));
  const child = fork(main, ['serve', '--json'], {
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const exit = once(child, 'exit');
  const end = async () => {
    child.kill('SIGTERM');
    await exit;
  };
  if (child.stdout === null) throw new Error('The server has no stdout.');
  const lines = createInterface({ input: child.stdout });
  const said = await Promise.race([once(lines, 'line'), exit.then(() => undefined)]);
  if (said === undefined) throw new Error('The server could not be started.');
  const { url } = JSON.parse(String(said[0])) as { url: string };
  if (await becomesReady(url)) return { url, end };
  await end();
  throw new Error('The server was started but did not become ready.');
}
