import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { NO_VISIT_ID } from '#contract/rows/visit-row.ts';
import { checkEvents, type Oracle, type PaymentFacts } from './oracle.ts';
import { countEvents, readArchivePlainly } from './plain-archive.ts';
import type { Checks } from './row.ts';
import { SITE, type TortureServer } from './torture-server.ts';

/** Waits until nothing is left to ship. Throws after `maxMs`, with what still waits. */
export async function untilShipped(server: LedgerPlace, maxMs = 60_000): Promise<void> {
  const endsAt = performance.now() + maxMs;
  for (;;) {
    const { batches, ledger } = await countWaiting(server);
    if (batches + ledger === 0) return;
    if (performance.now() > endsAt)
      throw new Error(`${batches} batches and ${ledger} rows of the ledger are not shipped`);
    await sleep(100);
  }
}

/** Batches and payments unconfirmed by the warehouse, read from the files themselves. */
async function countWaiting(place: LedgerPlace): Promise<{ batches: number; ledger: number }> {
  const { dataDir } = place;
  const journals = readdirSync(join(dataDir, 'journal')).filter((name) => name.endsWith('.db'));
  const batches = journals.map((name) =>
    readNumber(join(dataDir, 'journal', name), 'SELECT count(*) AS n FROM batches'),
  );
  const [waiting] = await readLedgerRows(
    place,
    `SELECT (SELECT count(*) FROM batches) + (SELECT value FROM counters WHERE name = 'payments')
      - (SELECT value FROM counters WHERE name = 'shipped_payments') AS n`,
  );
  return { batches: batches.reduce((sum, count) => sum + count, 0), ledger: Number(waiting?.n) };
}

/** Where a server's ledger is. */
type LedgerPlace = Pick<TortureServer, 'dataDir'> & Partial<Pick<TortureServer, 'databaseUrl'>>;

/** Rows of the ledger, without the program: of its file, or of its database. */
async function readLedgerRows(
  { dataDir, databaseUrl }: LedgerPlace,
  sql: string,
): Promise<Record<string, unknown>[]> {
  if (databaseUrl !== undefined) {
    const client = new pg.Client(databaseUrl);
    await client.connect();
    const { rows } = await client.query(sql);
    await client.end();
    return rows;
  }
  const db = new DatabaseSync(join(dataDir, 'ledger.db'), { readOnly: true, timeout: 5_000 });
  try {
    return db.prepare(sql).all();
  } finally {
    db.close();
  }
}

function readNumber(path: string, sql: string): number {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
    return Number(db.prepare(sql).get()?.n);
  } catch (error) {
    if (existsSync(path)) throw error;
    return 0; // A fully shipped journal file was just removed.
  } finally {
    db?.close();
  }
}

/** Compares everything in the stores with the oracle's record; returns the counts. */
export async function recount(
  server: TortureServer,
  oracle: Oracle,
  checks: Checks,
): Promise<Record<string, number>> {
  const events = await readEvents(server);
  const faults = oracle.compareEvents(events);
  checkEvents(faults, checks);
  await checkViews(server, checks);
  await checkArchive(server, oracle, checks);
  if (oracle.payments > 0) await checkMoney(server, oracle, checks);
  return {
    'events acknowledged': oracle.events,
    'events found': events.size,
    ...faults,
    'payments acknowledged': oracle.payments,
  };
}

/** Every event's id with its number of rows. */
export async function readEvents(server: TortureServer): Promise<Map<string, number>> {
  const rows = await server.ask('SELECT event_id, count() FROM events GROUP BY event_id');
  return new Map(rows.map(([id = '', count]) => [id, Number(count)]));
}

/** Visits and visitors are made from the same rows, and must not see a repeated insert. */
async function checkViews(server: TortureServer, checks: Checks): Promise<void> {
  const one = async (sql: string) => Number((await server.ask(sql))[0]?.[0]);
  // A goal long after its visitor's last page belongs to no visit.
  const events = await one(`SELECT count() FROM events WHERE visit_id != '${NO_VISIT_ID}'`);
  const pageviews = await one("SELECT count() FROM events WHERE type = 'pageview'");
  checks.equal(
    'visits count every event once',
    await one('SELECT sum(events) FROM visits'),
    events,
  );
  checks.equal(
    'visitors count every pageview once',
    await one('SELECT sum(pageviews) FROM visitors'),
    pageviews,
  );
}

/** A rebuild only has the archive: everything acknowledged must be in it, once. */
async function checkArchive(server: TortureServer, oracle: Oracle, checks: Checks): Promise<void> {
  const shipments = readArchivePlainly(server.dataDir);
  const { lost, doubled, foreign, refusedButThere } = oracle.compareEvents(countEvents(shipments));
  checks.equal(
    'the archive has every acknowledged event once, and no other',
    [lost, doubled, foreign + refusedButThere].join(),
    '0,0,0',
  );
  const types = new Map(
    shipments.flatMap(({ events }) => events.map(({ id, type }) => [id, type])),
  );
  checks.equal(
    'the query API’s pageviews are a recount of the archive',
    await askTotal(server, 'pageviews'),
    [...types.values()].filter((type) => type === 'pageview').length,
  );
}

async function checkMoney(server: TortureServer, oracle: Oracle, checks: Checks): Promise<void> {
  const ledger = oracle.comparePayments(await readLedger(server));
  const warehouse = oracle.comparePayments(await readWarehousePayments(server));
  for (const [where, faults] of [
    ['ledger', ledger],
    ['warehouse', warehouse],
  ] as const) {
    checks.equal(`no acknowledged payment is lost from the ${where}`, faults.lost, 0);
    checks.equal(`no payment is in the ${where} that was not sent`, faults.foreign, 0);
    checks.equal(`every amount in the ${where} is exact`, faults.wrongAmount, 0);
  }
  const { amountMinor, refundedMinor } = oracle.sumPayments();
  checks.equal(
    'the query API’s revenue is the oracle’s',
    await askTotal(server, 'revenue'),
    (amountMinor - refundedMinor) / 100,
  );
}

/** The ledger's state of each payment. */
export async function readLedger(place: LedgerPlace): Promise<Map<string, PaymentFacts>> {
  const rows = await readLedgerRows(
    place,
    'SELECT transaction_id, stated_minor, refund_stated_minor FROM payments',
  );
  return new Map(
    rows.map((row) => [
      String(row.transaction_id),
      { amountMinor: Number(row.stated_minor), refundedMinor: Number(row.refund_stated_minor) },
    ]),
  );
}

async function readWarehousePayments(server: TortureServer): Promise<Map<string, PaymentFacts>> {
  const rows = await server.ask(
    `SELECT transaction_id, sumIf(amount_minor, kind = 'payment'), sumIf(abs(amount_minor), kind = 'refund')
     FROM payments FINAL GROUP BY transaction_id`,
  );
  return new Map(
    rows.map(([id = '', amount, refunded]) => [
      id,
      { amountMinor: Number(amount), refundedMinor: Number(refunded) },
    ]),
  );
}

async function askTotal({ url, key }: TortureServer, metric: string): Promise<number> {
  const answer = await fetch(`${url}/api/v1/query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ site_id: SITE, metrics: [metric], date_range: 'all' }),
  });
  const body = (await answer.json()) as { results?: { metrics: (number | { value: string })[] }[] };
  const [value = Number.NaN] = body.results?.[0]?.metrics ?? [];
  return Number(typeof value === 'object' ? value.value : value);
}
