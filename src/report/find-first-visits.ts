import { type PayersRun, RUN, type RunRow, toRun } from '#warehouse/find-payers-runs.ts';
import { RefusedQuestionError } from '#warehouse/refused-question.ts';
import type { VisitDay } from '#warehouse/visit-days.ts';
import type { RecallingWarehouse, ReportWarehouse } from './ports.ts';
import type { FirstVisits } from './question.ts';

const DAY_MS = 86_400_000;
/** Days whose visits are read as they are; with more, looking among all visits is as quick. */
const CHANGED_DAYS_MAX = 3;
/** As many days as are read after those of a run. */
const OPEN_DAYS_MAX = 4;
/** With more, all visits of the open days are looked at as quickly. */
const OPEN_PAYERS_MAX = 5_000;
const SITES_MAX = 200;

/** The run of first visits of payers that is named for a site, if it is whole (warehouse/settle-payers.ts). */
export async function findPayersRun(
  warehouse: RecallingWarehouse,
  siteId: string,
): Promise<PayersRun | undefined> {
  const named = 'FROM payers_runs FINAL WHERE site_id = {site:String}';
  const [row] = await warehouse.recall<RunRow & { readonly there: string }>({
    sql: `SELECT ${RUN}, (SELECT toString(count()) FROM payers_first_visits
        WHERE site_id = {site:String} AND run = (SELECT run ${named})) AS there ${named}`,
    params: { site: siteId },
  });
  if (row === undefined || row.there !== row.first_visits) return undefined;
  return toRun(row);
}

/** Finds who had paid when a run was made and has no first visit in it: whoever came and paid on the open days. */
export type FindOpenPayers = (
  warehouse: ReportWarehouse,
  siteId: string,
  run: PayersRun,
) => Promise<readonly string[] | undefined>;

/**
 * Finds numbers of such payers, `undefined` where they are many, or looking for them costs too much; once for each
 * run, of which it stays true.
 *
 * Why: of the visits of open days a question about money then reads the few that these made.
 */
export function createFindOpenPayers(): FindOpenPayers {
  type Known = { readonly run: string; readonly payers: ReturnType<typeof selectOpenPayers> };
  const known = new Map<string, Known>();
  return async (warehouse, siteId, run) => {
    const before = known.get(siteId);
    if (before?.run === run.run) return before.payers;
    const payers = selectOpenPayers(warehouse, siteId, run);
    if (known.size >= SITES_MAX) known.clear();
    known.set(siteId, { run: run.run, payers });
    payers.catch(() => known.get(siteId)?.payers === payers && known.delete(siteId));
    return payers;
  };
}

async function selectOpenPayers(
  warehouse: ReportWarehouse,
  siteId: string,
  { run, paymentsVersion }: PayersRun,
): Promise<readonly string[] | undefined> {
  const select = warehouse.select<{ payer: string }>({
    sql: `SELECT DISTINCT toString(payer) AS payer FROM payments
      WHERE site_id = {site:String} AND version <= {version:UInt64} AND payer NOT IN (
        SELECT person FROM payers_first_visits WHERE site_id = {site:String} AND run = {run:UInt64})
      LIMIT ${OPEN_PAYERS_MAX + 1}`,
    params: { site: siteId, version: paymentsVersion, run },
  });
  const rows = await select.catch((error: unknown) => {
    if (error instanceof RefusedQuestionError) return undefined;
    throw error;
  });
  if (rows === undefined || rows.length > OPEN_PAYERS_MAX) return undefined;
  return rows.map(({ payer }) => payer);
}

/** What of a run holds while a site's days are these; `undefined` where too little does. */
export function asOfDays(
  run: PayersRun,
  days: readonly VisitDay[],
  openPayers: FirstVisits['openPayers'],
): FirstVisits | undefined {
  const now = new Map(
    days.filter(({ mark }) => mark !== 0n).map(({ day, mark }) => [day, `${mark}`]),
  );
  const changed = [...new Set([...run.markByDay.keys(), ...now.keys()])]
    .filter((day) => day * DAY_MS < run.endsAt && run.markByDay.get(day) !== now.get(day))
    .toSorted((a, b) => a - b);
  const lastDay = days.at(-1)?.day ?? 0;
  const isTooOld = (lastDay + 1) * DAY_MS - run.endsAt > OPEN_DAYS_MAX * DAY_MS;
  if (isTooOld || changed.length > CHANGED_DAYS_MAX) return undefined;
  return {
    run: run.run,
    endsAt: run.endsAt,
    openSince: Math.min(
      Number.MAX_SAFE_INTEGER,
      ...days.filter(({ day }) => day * DAY_MS >= run.endsAt).map(({ earliestAt }) => earliestAt),
    ),
    changed: changed.map((day) => ({ startsAt: day * DAY_MS, endsAt: (day + 1) * DAY_MS })),
    paymentsAfter: run.paymentsVersion,
    personsAfter: run.personsVersion,
    openPayers,
  };
}

/** The same for a question that was told of these highest versions. */
export function asOf(
  kept: FirstVisits | undefined,
  versions: { readonly payments: string; readonly persons: string } | undefined,
): FirstVisits | undefined {
  if (kept === undefined || versions === undefined) return undefined;
  const { paymentsAfter = '0', personsAfter = '0' } = kept;
  const isPast = (known: string, newest: string) => BigInt(newest) > BigInt(known);
  return {
    ...kept,
    paymentsAfter: isPast(paymentsAfter, versions.payments) ? paymentsAfter : undefined,
    personsAfter: isPast(personsAfter, versions.persons) ? personsAfter : undefined,
  };
}
