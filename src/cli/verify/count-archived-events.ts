import { existsSync } from 'node:fs';
import { KEEPS_NOTHING, readSoundKeptFrom } from '#journal/kept-from.ts';
import { listArchive } from '#journal/read-archive.ts';
import { type Forgetting, openLedgerCounts } from '#ledger/open-counts.ts';
import type { DataPaths } from '#processes/paths.ts';
import type { Settings } from '#settings.ts';
import type { Warehouse } from '#warehouse/client.ts';
import { createTerminalProgress } from '../create-progress.ts';
import { type ConfirmedBatches, findConfirmedBatches } from './confirmed-batches.ts';
import { type Count, toCount, toNotCompared } from './count.ts';
import { createDailySums, type DailySums, dayOf, type Series, toDay } from './daily-sums.ts';
import { RECOUNT_LIMITS } from './recount-limits.ts';
import { type DamagedFile, tallyArchive } from './tally-archive.ts';

/** What the count of archived events needs to know. */
export type ArchiveQuestion = {
  readonly isServing: boolean;
  /** Why the archive is left aside, if it is. */
  readonly skipped: string | undefined;
  /** Of the setting: what is older may be gone, though the archive has no note of it. */
  readonly archiveDays: number | undefined;
};

/** At midnight, days go from the archive while it is read. */
const TRIES_MAX = 3;

/**
 * The events that a rebuild would find in the archive against those in the warehouse: how many, and
 * a sum of their ids, by site, type and day.
 *
 * - Shape: only batches that were in both when it begins, and only events that the archive still has to
 *   keep; a site of which something is being erased or let go is left aside.
 * - Why sums of ids: one event too few and another one too many are as many as before.
 */
export async function countArchivedEvents(
  paths: DataPaths,
  warehouse: Warehouse,
  question: ArchiveQuestion,
): Promise<Count[]> {
  for (let tries = 1; ; tries++) {
    const noted = await readSoundKeptFrom(paths.archive);
    const skipped = noted === KEEPS_NOTHING ? NO_ARCHIVE : question.skipped;
    if (skipped !== undefined) return [toNotCompared(`events by day: ${skipped}`)];
    const counts = await compare(paths, warehouse, question, firstDayOf(noted, question));
    if ((await readSoundKeptFrom(paths.archive)) === noted || tries === TRIES_MAX) return counts;
  }
}

const DAY_MS = 86_400_000;
const NO_ARCHIVE = 'no archive is kept';

/** Why the settings leave the archive aside, if they do. */
export function skippedOf({ archiveDays }: Pick<Settings, 'archiveDays'>): string | undefined {
  return archiveDays === 0 ? NO_ARCHIVE : undefined;
}

/** The first day that is compared. */
function firstDayOf(noted: string | undefined, { archiveDays }: ArchiveQuestion) {
  if (archiveDays === undefined) return noted;
  const day = new Date(Date.now() - archiveDays * DAY_MS).toISOString().slice(0, 10);
  return noted === undefined || noted < day ? day : noted;
}

async function compare(
  paths: DataPaths,
  warehouse: Warehouse,
  question: ArchiveQuestion,
  keptFrom: string | undefined,
): Promise<Count[]> {
  const before = readLedger(paths);
  const scope = {
    confirmed: findConfirmedBatches(paths, question),
    keptSince: keptFrom === undefined ? undefined : Date.parse(keptFrom),
  };
  const sums = createDailySums();
  const older = await addWarehouse(warehouse, scope, sums);
  const damaged = await addArchive(paths, scope, sums);
  const after = readLedger(paths);
  const unsettled = findUnsettled(before.forgetting, after.forgetting);
  const nameOf = (siteId: string) => after.domains.get(siteId) ?? siteId;
  return [
    ...sums.toCounts((series) => describe(series, nameOf, unsettled), SUM_OF_IDS),
    ...damaged.map(toDamaged),
    ...(older > 0 ? [toNotCompared(`events accepted before ${keptFrom}`, `${older}`)] : []),
    ...[...unsettled].map((id) =>
      toNotCompared(`events of ${nameOf(id)} by day, while some are erased or let go`),
    ),
  ];
}

const SUM_OF_IDS = { named: 'sum of their ids', isChecksum: true } as const;

type Scope = {
  readonly confirmed: ConfirmedBatches;
  /** Events that were accepted earlier need not be in the archive. */
  readonly keptSince: number | undefined;
};

/** Answers how many are left aside, as the archive need not keep them. */
async function addWarehouse(
  warehouse: Warehouse,
  { confirmed, keptSince }: Scope,
  sums: DailySums,
): Promise<number> {
  const isOlder =
    keptSince === undefined ? '0' : `accepted_at < fromUnixTimestamp64Milli(${keptSince}, 'UTC')`;
  const rows = await warehouse.select<Record<'site_id' | 'type' | 'day' | 'rows' | 'ids', string>>(
    {
      sql: `SELECT site_id, type, ${dayOf('occurred_at')} AS day, count() AS rows, sum(id_tail) AS ids
        FROM events WHERE ${confirmed.toSql('batch_id')} AND NOT (${isOlder})
        GROUP BY site_id, type, day`,
    },
    RECOUNT_LIMITS,
  );
  for (const { site_id, type, day, rows: count, ids } of rows) {
    sums.add('found', `${type} ${site_id}`, Number(day), Number(count), BigInt(ids));
  }
  if (keptSince === undefined) return 0;
  const [left] = await warehouse.select<{ older: string }>(
    {
      sql: `SELECT countIf(${isOlder}) AS older FROM events WHERE ${confirmed.toSql('batch_id')}`,
    },
    RECOUNT_LIMITS,
  );
  return Number(left?.older);
}

async function addArchive(
  paths: DataPaths,
  { confirmed, keptSince = Number.NEGATIVE_INFINITY }: Scope,
  sums: DailySums,
): Promise<DamagedFile[]> {
  const files = listArchive(paths.archive);
  const totalBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const batch = { id: '', isConfirmed: false };
  return tallyArchive({
    folder: paths.archive,
    files,
    onEvent({ batchId, siteId, occurredAt, acceptedAt, eventId, type }) {
      if (batchId !== batch.id) {
        batch.id = batchId;
        batch.isConfirmed = confirmed.has(batchId);
      }
      if (!batch.isConfirmed || acceptedAt < keptSince) return;
      sums.add('expected', `${type} ${siteId}`, toDay(occurredAt), 1, tailOf(eventId));
    },
    onBytes: createTerminalProgress(totalBytes, 'bytes of the archive'),
  });
}

/** The second half of an id, as the warehouse keeps it: the random one of those that tell the time. */
function tailOf(eventId: string): bigint {
  return BigInt(`0x${eventId.slice(19, 23)}${eventId.slice(24)}`);
}

function readLedger(paths: DataPaths) {
  if (!existsSync(paths.ledger)) {
    return { domains: new Map<string, string>(), forgetting: new Map<string, Forgetting>() };
  }
  const ledger = openLedgerCounts(paths.ledger);
  try {
    return { domains: ledger.domainsById(), forgetting: ledger.forgettingBySite() };
  } finally {
    ledger.close();
  }
}

/** Sites that were, or are, in the middle of letting something go: from one store and not the other. */
function findUnsettled(
  before: ReadonlyMap<string, Forgetting>,
  after: ReadonlyMap<string, Forgetting>,
): Set<string> {
  const siteIds = new Set([...before.keys(), ...after.keys()]);
  const isUnsettled = (id: string) =>
    before.get(id)?.isUnderWay === true ||
    after.get(id)?.isUnderWay === true ||
    (before.get(id)?.done ?? '') !== (after.get(id)?.done ?? '');
  return new Set([...siteIds].filter(isUnsettled));
}

function describe(
  series: string,
  nameOf: (siteId: string) => string,
  unsettled: ReadonlySet<string>,
): Series | undefined {
  const [type = ''] = series.split(' ', 1);
  const siteId = series.slice(type.length + 1);
  if (unsettled.has(siteId)) return undefined;
  const site = nameOf(siteId);
  return { what: `${type} events of ${site} in the archive`, site, type };
}

function toDamaged({ path, places, bytes }: DamagedFile): Count {
  const count = toCount(`damaged places in the archive’s ${path} (${bytes} bytes)`, 0, places);
  return { ...count, gap: { name: `archive/${path}`, least: bytes, most: bytes } };
}
