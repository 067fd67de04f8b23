import { randomBytes } from 'node:crypto';
import type { Warehouse } from './client.ts';
import { findPaidSites, type PaidSite } from './find-paid-sites.ts';
import { findPayersRuns, isRunOf, type KnownRuns, type PayersRun } from './find-payers-runs.ts';
import { firstVisitsSql } from './first-visits-sql.ts';
import { RefusedQuestionError } from './refused-question.ts';
import { createSweepRuns } from './sweep-runs.ts';
import { toFirstOpenDay } from './visit-days.ts';

/** Below so many events a question finds the first visits among all as fast. */
const EVENTS_MIN = 500_000;
/** Making runs may take one in so many parts of the time while questions can do with the last one, or not. */
const TAKES_ONE_IN = { usable: 100, none: 20 } as const;
/** What was too much for the engine is not asked of it every minute. */
const REFUSED_FOR_MS = 6 * 3_600_000;
/** Whoever ships waits for a statement's end, and all of its visits are in memory at once. */
const PAYERS_AT_ONCE = 100_000;
const DAY_MS = 86_400_000;

/** Keeps first visits of payers, a run at a time. */
export interface PayerSettler {
  /** Resolves with how many sites it made a run of. Throws when the warehouse does not answer. */
  run(): Promise<number>;
}

type PayerSettlerOptions = { readonly eventsMin?: number; readonly payersAtOnce?: number };

/**
 * Writes the first visit of everybody who paid on a site into `payers_first_visits`, of days that are over.
 *
 * - A run of rows counts once `payers_runs` names it, with what it was made of, and for as long as that is
 *   so still (find-payers-runs.ts): a crash in between, a late event, an erasure take it out of use by
 *   themselves, and a later run replaces it.
 * - Units: `now` in milliseconds since 1970, UTC. Sites of fewer events than `eventsMin` are left out; `payersAtOnce` are
 *   looked for by one statement.
 */
export function createPayerSettler(
  warehouse: Pick<Warehouse, 'select' | 'command' | 'insertLines'>,
  now: () => number,
  { eventsMin = EVENTS_MIN, payersAtOnce = PAYERS_AT_ONCE }: PayerSettlerOptions = {},
): PayerSettler {
  const sweep = createSweepRuns(warehouse, 'payers_first_visits');
  /** When sites may have another run made, in milliseconds of `performance.now()`. */
  const restsUntil = new Map<string, { readonly usable: number; readonly none: number }>();

  function isDue(site: PaidSite, { named, there }: KnownRuns): boolean {
    const before = named.get(site.siteId);
    const isWhole = before !== undefined && there.get(before.run) === before.firstVisits;
    if (isWhole && isRunOf(before, site)) return false;
    const until = restsUntil.get(site.siteId)?.[isWhole ? 'usable' : 'none'] ?? 0;
    return performance.now() >= until;
  }

  async function makeOf(site: PaidSite, before: PayersRun | undefined): Promise<void> {
    const beganAt = performance.now();
    const rest = (times: number) => beganAt + times * (performance.now() - beganAt);
    try {
      const madeAt = Math.max(now(), (before?.madeAt ?? 0) + 1); // Whatever the clock does.
      await make(warehouse, site, { madeAt, payersAtOnce });
      const { usable, none } = TAKES_ONE_IN;
      restsUntil.set(site.siteId, { usable: rest(usable), none: rest(none) });
    } catch (error) {
      const until = performance.now() + REFUSED_FOR_MS;
      const isRefused = error instanceof RefusedQuestionError;
      if (isRefused) restsUntil.set(site.siteId, { usable: until, none: until });
      throw error;
    }
  }

  return {
    async run() {
      const endsAt = toFirstOpenDay(now()) * DAY_MS;
      const known = await findPayersRuns(warehouse);
      const inUse = new Set(known.named.values().map(({ run }) => run));
      await sweep(inUse, known.there.keys());
      const sites = await findPaidSites(warehouse, { endsAt, eventsMin });
      const due = sites.filter((site) => isDue(site, known));
      for (const site of due) await makeOf(site, known.named.get(site.siteId));
      return due.length;
    },
  };
}

/** Makes a run of a site, and names it when it is whole. */
async function make(
  warehouse: Pick<Warehouse, 'select' | 'command' | 'insertLines'>,
  site: PaidSite,
  { madeAt, payersAtOnce }: { readonly madeAt: number; readonly payersAtOnce: number },
): Promise<void> {
  const run = `${randomBytes(6).readUIntBE(0, 6)}`;
  const [paid] = await warehouse.select<{ payers: string }>({
    sql: 'SELECT uniq(payer) AS payers FROM payments WHERE site_id = {site:String}',
    params: { site: site.siteId },
  });
  const parcels = Math.ceil(Number(paid?.payers) / payersAtOnce);
  let firstVisits = 0;
  for (let parcel = 0; parcel < parcels; parcel += 1) {
    const { sql, params } = firstVisitsSql(site);
    await warehouse.command({ sql, params: { ...params, run, parcel, parcels } });
    const [row] = await warehouse.select<{ before: string; n: string }>({
      sql: `SELECT countIf(person % {parcels:UInt64} < {parcel:UInt64}) AS before, count() AS n
        FROM payers_first_visits WHERE site_id = {site:String} AND run = {run:UInt64}`,
      params: { site: site.siteId, run, parcel, parcels },
    });
    if (Number(row?.before) !== firstVisits) return; // Somebody took rows out meanwhile.
    firstVisits = Number(row?.n);
  }
  const binding = {
    site_id: site.siteId,
    run,
    made_at: madeAt,
    ends_at: site.endsAt,
    days: site.days.map(({ day }) => day),
    marks: site.days.map(({ mark }) => mark),
    payments_version: site.paymentsVersion,
    persons_version: site.personsVersion,
    first_visits: firstVisits,
  };
  await warehouse.insertLines('payers_runs', Buffer.from(`${JSON.stringify(binding)}\n`));
}
