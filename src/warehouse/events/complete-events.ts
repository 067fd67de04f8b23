import { randomUUID } from 'node:crypto';
import { readEventLine } from '#contract/rows/event-lines.ts';
import { waitUntil } from '#jobs/wait.ts';
import type { Warehouse } from '../client/client.ts';
import { WHOLE_LIMITS } from '../client/query-limits.ts';
import { WarehouseUnavailableError } from '../client/warehouse-unavailable.ts';
import { VIEWS } from '../tables/schema.ts';
import type { Rollup } from '../tables/views.ts';

/** An event line, with its identity and sorting columns. */
type Line = {
  readonly text: string;
  readonly name: string;
  readonly batchId: string;
  readonly siteId: string;
  readonly occurredAt: number;
};

const INSERT_MAX_MS = 10_000;
const POLL_EVERY_MS = 50;

/**
 * Inserts the lines that the warehouse lacks, so that it has each line exactly once, and makes visits and visitors
 * consistent. Returns the inserted lines.
 *
 * - Run it while nothing else inserts events. Idempotent: after a crash, run it again.
 * - Why not by the insert's token: the engine never fsyncs its deduplication log. After a power cut, rows may exist
 *   without their token, in only one of several months, or only in `events`.
 * - Throws WarehouseUnavailableError if the engine does not answer.
 */
export async function completeEvents(
  warehouse: Warehouse,
  lines: Buffer,
): Promise<{ readonly lines: Buffer; readonly rows: number }> {
  const wanted = parseLines(lines);
  if (wanted.length === 0) return { lines, rows: 0 };
  await untilNobodyInserts(warehouse);
  const place = placeOf(wanted);
  const missing = subtract(wanted, await findThere(warehouse, place));
  const text = Buffer.from(missing.map(({ text: line }) => `${line}\n`).join(''));
  if (missing.length > 0) await warehouse.insertLines('events', text, freshToken());
  for (const view of VIEWS) await completeView(warehouse, view, place);
  return { lines: text, rows: missing.length };
}

function parseLines(lines: Buffer): Line[] {
  return lines
    .toString()
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => {
      const { batch_id: batchId, event_id, site_id: siteId, occurred_at } = readEventLine(text);
      const name = `${batchId} ${event_id?.toLowerCase()}`;
      return { text, name, batchId, siteId: String(siteId), occurredAt: Number(occurred_at) };
    });
}

/**
 * A unique token.
 *
 * Why not the shipment's token: the engine may have it without its rows. Why a token at all: without one, the engine
 * deduplicates by content, and the name of the setting against that depends on the version.
 */
function freshToken(): string {
  return `complete-${randomUUID()}`;
}

/**
 * Waits for an insert whose sender was killed, because the engine may still be running it.
 *
 * Throws WarehouseUnavailableError on timeout. The shipment is retried later.
 */
async function untilNobodyInserts(warehouse: Warehouse): Promise<void> {
  await warehouse.command({ sql: 'EXISTS TABLE events' }); // Waits for earlier writes: the embedded engine runs them sequentially.
  const isOver = await waitUntil(
    async () => {
      const [row] = await warehouse.select<{ inserts: string }>({ sql: INSERTS });
      return Number(row?.inserts) === 0;
    },
    { everyMs: POLL_EVERY_MS, maxMs: INSERT_MAX_MS },
  );
  if (isOver) return;
  throw new WarehouseUnavailableError(new Error('An insert into events is still running.'));
}

const INSERTS = `SELECT count() AS inserts FROM system.processes
  WHERE current_database = currentDatabase() AND query ILIKE 'INSERT INTO events%'`;

/** The location of the lines. Batches identify them; the other columns make the lookup fast. */
type Place = Readonly<Record<'sites' | 'batches' | 'from' | 'to', unknown>>;

const IN_PLACE = `site_id IN {sites:Array(String)} AND batch_id IN {batches:Array(UInt64)}
  AND occurred_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
  AND occurred_at <= fromUnixTimestamp64Milli({to:Int64}, 'UTC')`;

function placeOf(lines: readonly Line[]): Place {
  const instants = lines.map(({ occurredAt }) => occurredAt);
  return {
    sites: [...new Set(lines.map(({ siteId }) => siteId))],
    batches: [...new Set(lines.map(({ batchId }) => Number(batchId)))],
    from: String(instants.reduce((least, at) => Math.min(least, at))),
    to: String(instants.reduce((most, at) => Math.max(most, at))),
  };
}

/** How often the warehouse has each event of these batches. */
async function findThere(warehouse: Warehouse, params: Place): Promise<Map<string, number>> {
  const rows = await warehouse.select<{ name: string; rows: string }>(
    {
      sql: `SELECT concat(toString(batch_id), ' ', toString(event_id)) AS name, count() AS rows
        FROM events WHERE ${IN_PLACE} GROUP BY name`,
      params,
    },
    WHOLE_LIMITS,
  );
  return new Map(rows.map((row) => [row.name, Number(row.rows)]));
}

/** The lines that are missing. */
function subtract(wanted: readonly Line[], there: Map<string, number>): Line[] {
  return wanted.filter(({ name }) => {
    const count = there.get(name) ?? 0;
    there.set(name, count - 1);
    return count <= 0;
  });
}

/**
 * Corrects the view's rows for these events' visits or visitors after a recount.
 *
 * Why an additional row instead of replacing rows: all columns except sums are idempotent, and the difference of a sum
 * is added to it (a negative one modulo 2^64). No row is ever missing meanwhile, and the correction is atomic. It
 * also adds a row if no sum differs, because a missing visitor without pageviews differs in no sum.
 */
async function completeView(warehouse: Warehouse, view: Rollup, params: Place): Promise<void> {
  const { table, keys, sums, columns, select } = view;
  const key = keys.join(', ');
  const isTouched = `(${key}) IN (SELECT ${key} FROM events WHERE ${IN_PLACE})`;
  const recounted = select({
    from: `(SELECT *, visitor FROM events WHERE ${isTouched})`,
    where: '1',
  });
  const toColumn = (name: string) =>
    sums.includes(name) ? `toUInt64(r.${name} - v.${name}) AS ${name}` : `r.${name} AS ${name}`;
  await warehouse.command({
    sql: `INSERT INTO ${table} (${columns.join(', ')})
      SETTINGS insert_deduplication_token = '${freshToken()}', async_insert = 0,
        max_partitions_per_insert_block = 0
      SELECT ${columns.map(toColumn).join(', ')}
      FROM (${recounted}) AS r
      LEFT JOIN (
        SELECT ${key}, ${sums.map((name) => `sum(t.${name}) AS ${name}`).join(', ')}
        FROM ${table} AS t WHERE ${isTouched} GROUP BY ${key}
      ) AS v USING (${key})`,
    params,
  });
}
