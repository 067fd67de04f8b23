import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCli } from '../../test/server/start-server.ts';
import { eventStatements, type History, identifiesSql, paymentsSql } from './history-sql.ts';
import { type Side, startSide } from './side.ts';

/** A loaded history in a data directory, and the cost of loading it. */
export type PreparedHistory = History & {
  readonly dataDir: string;
  readonly siteId: string;
  readonly key: string;
  /** Events in the warehouse, including identify reports. */
  readonly held: number;
  readonly loadedPerSecond: number;
  readonly bytesPerEvent: number;
};

/** The site of every history. */
export const SITE = 'bench.example';
/** How many requests are in flight while people and payments are loaded. */
const POSTS_AT_ONCE = 64;
/** A running server learns of a new site and key within a second. */
const KNOWN_AFTER_MS = 1_500;

/**
 * The history in a checkout's data directory, loaded unless `cacheFolder` already has it.
 *
 * One is cached for each checkout and size, as long as the checkout's sources do not change.
 */
export async function prepareHistory(
  cacheFolder: string,
  checkout: string,
  history: History,
): Promise<PreparedHistory> {
  const name = createHash('sha256').update(resolve(checkout)).digest('hex').slice(0, 8);
  const folder = join(cacheFolder, `${history.events}-${name}`);
  const recordPath = join(folder, 'history.json');
  const made = readFileSync(join(import.meta.dirname, 'history-sql.ts'), 'utf8');
  const stamp = digestOf([...readTree(join(checkout, 'src')), made, JSON.stringify(history)]);
  if (existsSync(recordPath)) {
    const record = JSON.parse(readFileSync(recordPath, 'utf8'));
    if (record.stamp === stamp) return record;
  }
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const prepared = await loadHistory(checkout, join(folder, 'data'), history);
  writeFileSync(recordPath, JSON.stringify({ stamp, ...prepared }));
  return prepared;
}

async function loadHistory(
  checkout: string,
  dataDir: string,
  history: History,
): Promise<PreparedHistory> {
  const { siteId, key } = await addSite(checkout, dataDir);
  const loading = await startSide({ checkout, dataDir, key });
  await sleep(KNOWN_AFTER_MS);
  await loadPeople(loading, history);
  const loadedPerSecond = await loadEvents(loading, history, siteId);
  await loading.stop();
  // A server looks for background work soon after its start, then once a minute.
  const loaded = await startSide({ checkout, dataDir, key });
  try {
    await loaded.untilQuiet();
    const [[events] = []] = await loaded.sql('SELECT count() FROM events');
    const [[bytes] = []] = await loaded.sql(
      `SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = currentDatabase()`,
    );
    const held = Number(events);
    return {
      ...history,
      dataDir,
      siteId,
      key,
      held,
      loadedPerSecond,
      bytesPerEvent: Number(bytes) / held,
    };
  } finally {
    await loaded.stop();
  }
}

async function addSite(checkout: string, dataDir: string) {
  const run = <T>(...args: string[]) => runCli<T>(args, dataDir, checkout);
  const zone = ['--timezone', 'Europe/Berlin', '--currency', 'EUR'];
  const { id } = await run<{ id: string }>('site', 'add', SITE, ...zone);
  const { key } = await run<{ key: string }>('key', 'create', '--site', SITE);
  return { siteId: id, key };
}

/** Reports identities and payments, by the same requests as a backend. */
async function loadPeople(side: Side, history: History): Promise<void> {
  const identifies = await side.sql(identifiesSql(history));
  const payments = await side.sql(paymentsSql(history));
  await postAll(side, '/api/v1/identify', identifies, toIdentify);
  await postAll(side, '/api/v1/payments', payments, toPayment);
}

async function postAll(
  side: Side,
  path: string,
  rows: readonly string[][],
  toBody: (row: string[]) => string,
): Promise<void> {
  let next = 0;
  const work = async () => {
    for (let row = rows[next++]; row !== undefined; row = rows[next++]) {
      await side.post(path, toBody(row));
    }
  };
  await Promise.all(Array.from({ length: POSTS_AT_ONCE }, work));
}

function toIdentify([service_visitor_id, user_id]: string[]): string {
  return JSON.stringify({ service_visitor_id, user_id });
}

function toPayment([id, visitor, paidAt, refundedAt, amountMinor, currency, renewal]: string[]) {
  const toIso = (ms: string | undefined) => new Date(Number(ms)).toISOString();
  return JSON.stringify({
    amount: Number(amountMinor) / 100,
    currency,
    transaction_id: id,
    service_visitor_id: visitor,
    timestamp: toIso(paidAt),
    renewal: renewal === '1',
    ...(refundedAt !== '0' && { refunded: true, refunded_at: toIso(refundedAt) }),
  });
}

/** Resolves with the events inserted per second. */
async function loadEvents(side: Side, history: History, siteId: string): Promise<number> {
  const columns = await side.sql(
    "SELECT name FROM system.columns WHERE database = currentDatabase() AND table = 'events'",
  );
  const names = new Set(columns.map(([name = '']) => name));
  const count = async () => Number((await side.sql('SELECT count() FROM events'))[0]?.[0]);
  const before = await count();
  const startedAt = performance.now();
  for (const statement of eventStatements(history, siteId, names)) await side.sql(statement);
  const seconds = (performance.now() - startedAt) / 1_000;
  return Math.round(((await count()) - before) / seconds);
}

/** The names and contents of all files below a folder. */
function readTree(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).toSorted();
  return paths.flatMap((path) => [path, readFileSync(path, 'utf8')]);
}

function digestOf(texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex');
}
