import { readEventHeads } from '#contract/event-heads.ts';
import { KEEPS_NOTHING, readKeptFrom } from '#journal/archive/kept-from.ts';
import type { Forgetting } from '#ledger/open-counts.ts';
import type { DataPaths } from '#processes/paths.ts';
import type { Warehouse } from '#warehouse/client.ts';
import { createTerminalProgress } from '../create-progress.ts';
import { type Damage, readShipments } from '../read-shipments.ts';
import { withLedgerCounts } from '../with-ledger.ts';
import { type ConfirmedBatches, findConfirmedBatches } from './confirmed-batches.ts';
import { type Count, RECOUNT_LIMITS, toCount, toNotCompared } from './count.ts';
import { createDailySums, type DailySums, dayOf, type Series, toDay } from './daily-sums.ts';

/** What the count of archived events needs to know. */
export type ArchiveOptions = {
  readonly isServing: boolean;
  /** Leaves the archive aside. */
  readonly skipArchive?: boolean | undefined;
  /** The setting: what is older may be gone, though the archive has no note of it. */
  readonly archiveDays: number | undefined;
};

const DAY_MS = 86_400_000;
const NO_ARCHIVE = toNotCompared('events by day: no archive is kept');
const SUM_OF_IDS = { named: 'sum of their ids', isChecksum: true } as const;

/**
 * The events that a rebuild would find in the archive against those in the warehouse: how many, and
 * a sum of their ids, by site, type and day.
 *
 * - Only batches that were in both when it begins, and only events that the archive must still keep;
 *   a site of which something is being erased or expires is left aside.
 * - Why sums of ids: one event too few and another one too many are as many as before.
 */
export async function countArchivedEvents(
  paths: DataPaths,
  warehouse: Warehouse,
  options: ArchiveOptions,
): Promise<Count[]> {
  const noted = await readKeptFrom(paths.archive);
  if (noted === KEEPS_NOTHING) return [NO_ARCHIVE];
  if (options.skipArchive) return [toNotCompared('events by day: the archive is skipped')];
  if (options.archiveDays === 0) return [NO_ARCHIVE];
  const keptFrom = firstDayOf(noted, options);
  const keptSince = keptFrom === undefined ? 0 : Date.parse(keptFrom);
  const scope = { confirmed: findConfirmedBatches(paths, options), keptSince };
  const sums = createDailySums();
  const before = await readSites(paths);
  const older = await addWarehouse(warehouse, scope, sums);
  const damage = await addArchive(paths, scope, sums);
  const { domains, forgetting } = await readSites(paths);
  const changing = findChanging(before.forgetting, forgetting);
  const nameOf = (siteId: string) => domains.get(siteId) ?? siteId;
  return [
    ...sums.toCounts((series) => describe(series, nameOf, changing), SUM_OF_IDS),
    ...[...damage].map(toDamaged),
    ...(older > 0 ? [toNotCompared(`events accepted before ${keptFrom}`, `${older}`)] : []),
    ...[...changing].map((id) =>
      toNotCompared(`events of ${nameOf(id)} by day, while some are erased or expire`),
    ),
  ];
}

/** The first day that is compared. */
function firstDayOf(noted: string | undefined, { archiveDays }: ArchiveOptions) {
  if (archiveDays === undefined) return noted;
  const day = new Date(Date.now() - archiveDays * DAY_MS).toISOString().slice(0, 10);
  return noted === undefined || noted < day ? day : noted;
}

type Scope = {
  readonly confirmed: ConfirmedBatches;
  /** Events that were accepted earlier need not be in the archive. */
  readonly keptSince: number;
};

/** Returns how many are left aside, as the archive need not keep them. */
async function addWarehouse(
  warehouse: Warehouse,
  { confirmed, keptSince }: Scope,
  sums: DailySums,
): Promise<number> {
  const rows = await warehouse.select<
    Record<'site_id' | 'type' | 'day' | 'rows' | 'ids', string> & { readonly is_older: number }
  >(
    {
      sql: `SELECT site_id, type, ${dayOf('occurred_at')} AS day, count() AS rows,
          sum(id_tail) AS ids,
          accepted_at < fromUnixTimestamp64Milli(${keptSince}, 'UTC') AS is_older
        FROM events WHERE ${confirmed.toSql('batch_id')} GROUP BY site_id, type, day, is_older`,
    },
    RECOUNT_LIMITS,
  );
  let older = 0;
  for (const { site_id, type, day, rows: count, ids, is_older } of rows) {
    if (is_older === 1) older += Number(count);
    else sums.add('found', `${type} ${site_id}`, Number(day), Number(count), BigInt(ids));
  }
  return older;
}

/** Returns what is damaged in the archive. */
async function addArchive(
  paths: DataPaths,
  { confirmed, keptSince }: Scope,
  sums: DailySums,
): Promise<Damage> {
  const damage: Damage = new Map();
  let batch = '';
  let isConfirmed = false;
  for await (const { lines } of readShipments(paths.archive, createTerminalProgress, damage)) {
    for (const { batchId, siteId, occurredAt, acceptedAt, eventId, type } of readEventHeads(
      lines,
    )) {
      if (batchId !== batch) [batch, isConfirmed] = [batchId, confirmed.has(batchId)];
      if (!isConfirmed || acceptedAt < keptSince) continue;
      sums.add('expected', `${type} ${siteId}`, toDay(occurredAt), 1, tailOf(eventId));
    }
  }
  return damage;
}

/** The second half of an id, as the warehouse keeps it: the random one of those that tell the time. */
function tailOf(eventId: string): bigint {
  return BigInt(`0x${eventId.slice(19, 23)}${eventId.slice(24)}`);
}

type Sites = {
  readonly domains: ReadonlyMap<string, string>;
  readonly forgetting: ReadonlyMap<string, Forgetting>;
};

async function readSites({ ledger: path }: DataPaths): Promise<Sites> {
  const sites = await withLedgerCounts(path, (ledger) => ({
    domains: ledger.domainsById(),
    forgetting: ledger.forgettingBySite(),
  }));
  return sites ?? { domains: new Map(), forgetting: new Map() };
}

/** Sites of which something was, or is, being removed: from one store and not yet the other. */
function findChanging(before: Sites['forgetting'], after: Sites['forgetting']): Set<string> {
  const siteIds = new Set([...before.keys(), ...after.keys()]);
  const isChanging = (id: string) =>
    [before, after].some((sites) => sites.get(id)?.isUnderWay) ||
    before.get(id)?.done !== after.get(id)?.done;
  return new Set([...siteIds].filter(isChanging));
}

function describe(
  series: string,
  nameOf: (siteId: string) => string,
  changing: ReadonlySet<string>,
): Series | undefined {
  const [type = '', siteId = ''] = series.split(' ');
  if (changing.has(siteId)) return undefined;
  const site = nameOf(siteId);
  return { what: `${type} events of ${site} in the archive`, site, type };
}

function toDamaged([path, { places, bytes }]: [string, { places: number; bytes: number }]): Count {
  const count = toCount(`damaged places in the archive’s ${path} (${bytes} bytes)`, 0, places);
  return { ...count, gap: { name: `archive/${path}`, least: bytes, most: bytes } };
}
