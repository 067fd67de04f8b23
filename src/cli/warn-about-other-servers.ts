import { existsSync, globSync, readlinkSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { dataPathsOf } from '#processes/paths.ts';
import { readSettings, type Settings } from '#settings.ts';

const PROBE_MAX_MS = 500;
/** A file that every server holds open in its data directory. */
const LOCK = '/run/serve.lock';

/**
 * Warns on stderr if a command is about to create a data directory while a server runs on another
 * one: that server would not see the command's changes.
 */
export async function warnAboutOtherServers(): Promise<void> {
  const settings = findSettings();
  if (settings === undefined || settings.databaseUrl !== undefined) return;
  if (existsSync(dataPathsOf(settings.dataDir).ledger)) return;
  const { dataDir, host, port } = settings;
  const others = findServedDirs().filter((dir) => dir !== resolve(dataDir));
  const [other] = others;
  if (other === undefined && !(await isServed(host, port))) return;
  const where = other === undefined ? `at port ${port} with other data` : `on ${others.join(', ')}`;
  const advice = other === undefined ? 'set DATA_DIR to its folder' : `set DATA_DIR=${other}`;
  process.stderr.write(
    `tributary: DATA_DIR ${dataDir} is new, but a server runs ${where}. To work on that server's data, ${advice}.\n`,
  );
}

/** Returns `undefined` if a setting is invalid; the command itself reports that. */
function findSettings(): Settings | undefined {
  try {
    return readSettings();
  } catch {
    return undefined;
  }
}

/** Finds the data directories of running servers, as far as this user may see their open files. Linux only. */
function findServedDirs(): string[] {
  const locks = globSync('/proc/[0-9]*/fd/*').map(readLink);
  const dirs = locks.filter((path) => path.endsWith(LOCK)).map((path) => dirname(dirname(path)));
  return [...new Set(dirs)].filter((dir) => existsSync(dataPathsOf(dir).server));
}

/** Whether a server, perhaps another user's, already answers at the configured address. */
async function isServed(host: string, port: number): Promise<boolean> {
  if (port === 0) return false;
  const address = host.includes(':') ? `[${host}]` : host;
  const answer = await fetch(`http://${address}:${port}/healthz`, {
    signal: AbortSignal.timeout(PROBE_MAX_MS),
  }).catch(() => undefined);
  return answer?.ok === true && answer.headers.has('x-request-id');
}

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ''; // The process has exited.
  }
}
