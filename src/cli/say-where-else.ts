import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { dataPathsOf } from '#processes/paths.ts';
import { readSettings, type Settings } from '#settings.ts';

const PROBE_MAX_MS = 500;
/** What every server holds open in its data directory. */
const LOCK = '/run/serve.lock';

/**
 * Writes to stderr that a command begins a data directory anew while a server runs on another one:
 * what it records does not reach that server.
 */
export async function sayWhereElse(): Promise<void> {
  const settings = findSettings();
  if (settings === undefined || existsSync(dataPathsOf(settings.dataDir).ledger)) return;
  const { dataDir, host, port } = settings;
  const others = findServedDirs().filter((dir) => dir !== resolve(dataDir));
  const [other] = others;
  if (other === undefined && !(await isServed(host, port))) return;
  const where = other === undefined ? `at port ${port} with other data` : `on ${others.join(', ')}`;
  const advice = `set DATA_DIR=${other ?? 'to its folder'}`;
  process.stderr.write(
    `tributary: DATA_DIR ${dataDir} is new, and a server runs ${where}. If you meant that one, ${advice}.\n`,
  );
}

/** None when one is invalid, which the command itself reports. */
function findSettings(): Settings | undefined {
  try {
    return readSettings();
  } catch {
    return undefined;
  }
}

/** The data directories of servers whose open files this user may see; Linux only. */
function findServedDirs(): string[] {
  const processes = listFolder('/proc').filter((name) => /^\d+$/.test(name));
  const locks = processes.flatMap((pid) =>
    listFolder(`/proc/${pid}/fd`).flatMap((fd) => readLink(`/proc/${pid}/fd/${fd}`) ?? []),
  );
  const dirs = locks.filter((path) => path.endsWith(LOCK)).map((path) => dirname(dirname(path)));
  return [...new Set(dirs)].filter((dir) => existsSync(dataPathsOf(dir).server));
}

/** Whether a server answers where this one would listen, of another user perhaps. */
async function isServed(host: string, port: number): Promise<boolean> {
  if (port === 0) return false;
  const address = host.includes(':') ? `[${host}]` : host;
  const answer = await fetch(`http://${address}:${port}/healthz`, {
    signal: AbortSignal.timeout(PROBE_MAX_MS),
  }).catch(() => undefined);
  return answer?.ok === true && answer.headers.has('x-request-id');
}

function listFolder(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return []; // Another user's, or it ended meanwhile.
  }
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
