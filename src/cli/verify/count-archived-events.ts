import { readEventHeads } from '#contract/rows/event-heads.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import { KEEPS_NOTHING, readKeptFrom } from '#journal/archive/kept-from.ts';
import { readQueues, withLedgerCounts } from '#ledger/open-ledger.ts';
import type { DataPaths } from '#processes/paths.ts';
import type { Warehouse } from '#warehouse/client/client.ts';
import { createProgress } from '../io/create-progress.ts';
import { type Damage, readShipments } from '../stores/read-shipments.ts';
import { type Check, RECOUNT_LIMITS, toCount, toNotCompared } from './count.ts';
import { type BatchRange, findUnconfirmed, isConfirmedSql } from './count-events.ts';
import { createDailySums, dayOf, toDay } from './daily-sums.ts';

/** Options for counting archived events. */
export type ArchiveCountOptions = {
  readonly isServing: boolean;
  readonly skipArchive?: boolean | undefined;
  /** The setting ARCHIVE_DAYS. Older events may be gone even if `kept-from` does not say so. */
  readonly archiveDays: number | undefined;
};

const NO_ARCHIVE = toNotCompared('events by day: no archive is kept');

/**
 * Compares the warehouse's events with those a rebuild would read from the archive: the count and a
 * sum of ids, by site, type and day.
 *
 * - Covers only batches that both already have, and events that the archive must still keep. Sites
 *   with an erasure or retention in progress are excluded.
 * - Why sums of ids: a missing event and a surplus one cancel out in the count.
 */
export async function countArchivedEvents(
  paths: DataPaths,
  warehouse: Warehouse,
  options: ArchiveCountOptions,
): Promise<Check[]> {
  const noted = await readKeptFrom(paths.archive);
  if (noted === KEEPS_NOTHING) return [NO_ARCHIVE];
  if (options.skipArchive) return [toNotCompared('events by day: the archive is skipped')];
  if (options.archiveDays === 0) return [NO_ARCHIVE];
  const keptFrom = firstDayOf(noted, options);
  const keptSince = keptFrom === undefined ? 0 : Date.parse(keptFrom);
  const scope = {
    unconfirmed: findUnconfirmed(await readQueues(paths), options.isServing),
    keptSince,
  };
  const sums = createDailySums();
  const readForgetting = () => withLedgerCounts(paths.ledger, (each) => each.forgettingBySite());
  const before = await readForgetting();
  const older = await addWarehouse(warehouse, scope, sums);
  const damage = await addArchive(paths, scope, sums);
  const after = await readForgetting();
  const domains =
    (await withLedgerCounts(paths.ledger, (ledger) => ledger.domainsById())) ?? new Map();
  // Their events may already be gone from one store but not the other.
  const changing = [...(after?.keys() ?? [])].filter(
    (id) => after?.get(id) === 'running' || after?.get(id) !== before?.get(id),
  );
  const changingNames = new Set(changing.map((id) => domains.get(id) ?? id));
  const counts = sums.toCounts(
    domains,
    ({ type, site }) => `${type} events of ${site} in the archive`,
  );
  return [
    ...counts.filter(({ site = '' }) => !changingNames.has(site)),
    ...[...damage].map(toDamaged),
    ...(older > 0 ? [toNotCompared(`events accepted before ${keptFrom}`, `${older}`)] : []),
    ...[...changingNames].map((name) =>
      toNotCompared(`events of ${name} by day, while some are erased or expire`),
    ),
  ];
}

/** The first day to compare. */
function firstDayOf(noted: string | undefined, { archiveDays }: ArchiveCountOptions) {
  if (archiveDays === undefined) return noted;
  const day = new Date(Date.now() - archiveDays * DAY_MS).toISOString().slice(0, 10);
  return noted === undefined || noted < day ? day : noted;
}

type Scope = {
  readonly unconfirmed: readonly BatchRange[];
  /** Events accepted earlier may be missing in the archive. */
  readonly keptSince: number;
};
type DailySums = ReturnType<typeof createDailySums>;

/** Returns the number of excluded events, which the archive may have dropped. */
async function addWarehouse(
  warehouse: Warehouse,
  { unconfirmed, keptSince }: Scope,
  sums: DailySums,
): Promise<number> {
  const rows = await warehouse.select<
    Record<'site_id' | 'type' | 'day' | 'rows' | 'ids', string> & { readonly is_older: number }
  >(
    {
      sql: `SELECT site_id, type, ${dayOf('occurred_at')} AS day, count() AS rows,
          sum(id_tail) AS ids,
          accepted_at < fromUnixTimestamp64Milli(${keptSince}, 'UTC') AS is_older
        FROM events WHERE ${isConfirmedSql(unconfirmed)}
        GROUP BY site_id, type, day, is_older`,
    },
    RECOUNT_LIMITS,
  );
  let older = 0;
  for (const { site_id: siteId, type, day, rows: count, ids, is_older } of rows) {
    const summed = { rows: Number(count), sum: BigInt(ids) };
    if (is_older === 1) older += summed.rows;
    else sums.add('found', { siteId, type }, Number(day), summed);
  }
  return older;
}

/** Returns the damage found in the archive. */
async function addArchive(
  paths: DataPaths,
  { unconfirmed, keptSince }: Scope,
  sums: DailySums,
): Promise<Damage> {
  const damage: Damage = new Map();
  const progress = process.stderr.isTTY ? createProgress : () => () => {};
  let batch = '';
  let isConfirmed = false;
  for await (const { lines } of readShipments(paths.archive, progress, damage)) {
    for (const head of readEventHeads(lines)) {
      if (head.batchId !== batch) {
        batch = head.batchId;
        const id = BigInt(batch);
        isConfirmed = !unconfirmed.some(({ from, to }) => id >= from && id <= to);
      }
      if (!isConfirmed || head.acceptedAt < keptSince) continue;
      sums.add('expected', head, toDay(head.occurredAt), { rows: 1, sum: tailOf(head.eventId) });
    }
  }
  return damage;
}

/** The second half of an id, as the warehouse stores it: the random half of a time-ordered id. */
function tailOf(eventId: string): bigint {
  return BigInt(`0x${eventId.slice(19, 23)}${eventId.slice(24)}`);
}

function toDamaged([path, { places, bytes }]: [string, { places: number; bytes: number }]): Check {
  const count = toCount(`damaged places in the archive’s ${path} (${bytes} bytes)`, 0, places);
  return { ...count, gap: { name: `archive/${path}`, least: bytes, most: bytes } };
}
