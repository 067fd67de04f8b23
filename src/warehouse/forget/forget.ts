import { NO_VISIT } from '#contract/rows/visit-row.ts';
import type { CountedBatches } from '#domain/identity/counted-batches.ts';
import { assertRoom } from '../apply-schema.ts';
import type { Warehouse } from '../client/client.ts';
import { FSYNCED } from '../tables/table-settings.ts';
import { FIRST_AT_MS, MAKES_VISITOR } from '../tables/visitors.ts';
import { dropOldParts } from './drop-old-parts.ts';
import { findHeldEvents, type HeldEvents, IS_COUNTED, toCountedParam } from './held-events.ts';
import { mutate, mutationsDone } from './mutate.ts';

/** The data to delete: visitors with all their events, or events past retention. */
export type Forgotten = { readonly siteId: string } & (
  | { readonly visitors: readonly string[]; readonly transactions: readonly string[] }
  /** Deletes visits that began before, and events outside a visit that happened before. */
  | { readonly before: number }
);

/** Counting of events before they are deleted. */
export type Counting = {
  /** Batches counted by earlier runs. */
  readonly counted: readonly CountedBatches[];
  /** Saves further batches durably. Returns all counted batches. */
  note(held: readonly HeldEvents[]): Promise<readonly CountedBatches[]>;
  /** Runs the work while shipping is paused, so that a deleted visit loses no uncounted event. */
  alone<T>(work: () => Promise<T>): Promise<T>;
};

const OF_SITE = 'site_id = {site:String}';
const BEFORE = "fromUnixTimestamp64Milli({before:Int64}, 'UTC')";
/** Visits are deleted as a whole, so that none is left incomplete. */
const IS_EXPIRED = `${OF_SITE} AND if(visit_id != ${NO_VISIT}, visit_started_at, occurred_at) < ${BEFORE}`;
const NAMES = 'forgetting';
const named = (kind: string, key = 'key') => `(SELECT ${key} FROM ${NAMES} WHERE kind = '${kind}')`;

/**
 * Deletes data from the warehouse. Returns the batches of deleted events, including those counted by earlier runs.
 *
 * - Shape: exactly the counted events are deleted, also from the archive. A later event stays, and recreates its
 *   visit.
 * - Idempotent.
 */
export async function forget(
  warehouse: Warehouse,
  forgotten: Forgotten,
  counting: Counting,
): Promise<readonly CountedBatches[]> {
  if ('before' in forgotten) return forgetBefore(warehouse, forgotten, counting);
  return forgetVisitors(warehouse, forgotten, counting);
}

/** Deletes events past retention. Payments, persons, and visitors with remaining events stay. */
async function forgetBefore(
  warehouse: Warehouse,
  { siteId, before }: Extract<Forgotten, { before: number }>,
  counting: Counting,
): Promise<readonly CountedBatches[]> {
  const params = { site: siteId, before };
  const counted = await countAndCut(warehouse, { where: IS_EXPIRED, params }, counting, [
    `visits DELETE WHERE ${OF_SITE} AND visit_started_at < ${BEFORE}`,
  ]);
  const isOld = `${OF_SITE} AND ${FIRST_AT_MS} < {before:Int64}`;
  await mutate(
    warehouse,
    `visitors DELETE WHERE ${isOld} AND visitor NOT IN (SELECT e.visitor FROM events AS e
      WHERE e.${OF_SITE} AND ${MAKES_VISITOR}
        AND e.visitor IN (SELECT visitor FROM visitors WHERE ${isOld}))`,
    params,
  );
  return counted;
}

/** Deletes visitors. Payments keep their amounts. Resolves when no file of the engine contains the visitors. */
async function forgetVisitors(
  warehouse: Warehouse,
  { siteId, visitors, transactions }: Extract<Forgotten, { visitors: readonly string[] }>,
  counting: Counting,
): Promise<readonly CountedBatches[]> {
  const params = { site: siteId };
  await makeNames(warehouse, { visitor: visitors, transaction: transactions });
  const where = `${OF_SITE} AND visitor_id IN ${named('visitor')}`;
  const areTheirs = `${OF_SITE} AND visitor IN ${named('visitor', 'cityHash64(key)')}`;
  const counted = await countAndCut(warehouse, { where, params }, counting, [
    `visits DELETE WHERE ${areTheirs}`,
    `visitors DELETE WHERE ${areTheirs}`,
  ]);
  await mutate(
    warehouse,
    `payments UPDATE visitor_id = '', customer_id = '', email = '' WHERE ${OF_SITE}
      AND (transaction_id IN ${named('transaction')} OR original_transaction_id IN ${named('transaction')})`,
    params,
  );
  await mutate(
    warehouse,
    `persons DELETE WHERE ${OF_SITE} AND (kind, key) IN (SELECT kind, key FROM ${NAMES})`,
    params,
  );
  await warehouse.command({ sql: `DROP TABLE ${NAMES} SYNC` });
  await dropOldParts(warehouse);
  return counted;
}

type Events = { readonly where: string; readonly params: Readonly<Record<string, unknown>> };

/** Counts the events and deletes them, together with the view rows derived from them. */
async function countAndCut(
  warehouse: Warehouse,
  { where, params }: Events,
  { counted: before, note, alone }: Counting,
  cuts: readonly string[],
): Promise<readonly CountedBatches[]> {
  const counted = await alone(async () => {
    const held = await findHeldEvents(warehouse, where, { ...params, ...toCountedParam(before) });
    const all = await note(held);
    for (const cut of cuts) await mutate(warehouse, cut, params);
    return all;
  });
  const events = `events DELETE WHERE ${where} AND ${IS_COUNTED}`;
  await mutate(warehouse, events, { ...params, ...toCountedParam(counted) });
  return counted;
}

/**
 * Creates the table of names that mutations read.
 *
 * - Why a table: the engine stores the text of a mutation in a file, which would keep the names.
 * - Why it stays after a failure: a mutation may still be running. It ends before the next run begins.
 */
async function makeNames(
  warehouse: Warehouse,
  keysByKind: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  await mutationsDone(warehouse);
  await assertRoom(warehouse);
  await warehouse.command({ sql: `DROP TABLE IF EXISTS ${NAMES} SYNC` });
  await warehouse.command({
    sql: `CREATE TABLE ${NAMES} (kind String, key String) ENGINE = MergeTree ORDER BY () SETTINGS ${FSYNCED}`,
  });
  const rows = Object.entries(keysByKind).flatMap(([kind, keys]) =>
    keys.map((key) => `${JSON.stringify({ kind, key })}\n`),
  );
  await warehouse.insertLines(NAMES, Buffer.from(rows.join('')));
}
