import type { Warehouse } from './client.ts';
import type { PaidSite } from './find-paid-sites.ts';
import { countRunRows } from './sweep-runs.ts';

/** A run of rows of `payers_first_visits`, and what it was made of. */
export type PayersRun = {
  /** A whole number of 48 bits. */
  readonly run: string;
  readonly siteId: string;
  /** It has visits that began before. Milliseconds since 1970, UTC. */
  readonly endsAt: number;
  readonly madeAt: number;
  /** Days counted from 1970 (UTC), and what their visits were. */
  readonly markByDay: ReadonlyMap<number, string>;
  /** The highest that were there. */
  readonly paymentsVersion: string;
  readonly personsVersion: string;
  readonly firstVisits: number;
};

/** All runs that there are. */
export type KnownRuns = {
  /** The one that counts, by site. */
  readonly named: ReadonlyMap<string, PayersRun>;
  /** How many rows there are, by run. */
  readonly there: ReadonlyMap<string, number>;
};

/** All runs, named and not. */
export async function findPayersRuns(warehouse: Pick<Warehouse, 'select'>): Promise<KnownRuns> {
  const named = await warehouse.select<RunRow>({ sql: `SELECT ${RUN} FROM payers_runs FINAL` });
  return {
    named: new Map(named.map((row) => [row.site_id, toRun(row)])),
    there: await countRunRows(warehouse, 'payers_first_visits'),
  };
}

/** SQL of what {@link toRun} reads, over rows of `payers_runs FINAL`. */
export const RUN = `site_id, toString(run) AS run, toString(ends_at) AS ends_at, toString(made_at) AS made_at, days,
  arrayMap(mark -> toString(mark), marks) AS marks,
  toString(payments_version) AS payments_version, toString(persons_version) AS persons_version,
  toString(first_visits) AS first_visits`;

/** A row of {@link RUN}. */
export type RunRow = {
  readonly site_id: string;
  readonly run: string;
  readonly ends_at: string;
  readonly made_at: string;
  readonly days: readonly number[];
  readonly marks: readonly string[];
  readonly payments_version: string;
  readonly persons_version: string;
  readonly first_visits: string;
};

/** The run that a row names. */
export function toRun(row: RunRow): PayersRun {
  return {
    run: row.run,
    siteId: row.site_id,
    endsAt: Number(row.ends_at),
    madeAt: Number(row.made_at),
    markByDay: new Map(row.days.map((day, index) => [day, row.marks[index] ?? ''])),
    paymentsVersion: row.payments_version,
    personsVersion: row.persons_version,
    firstVisits: Number(row.first_visits),
  };
}

/** Whether a run would be made of the same now. */
export function isRunOf(run: PayersRun, site: PaidSite): boolean {
  return (
    run.endsAt === site.endsAt &&
    run.paymentsVersion === site.paymentsVersion &&
    run.personsVersion === site.personsVersion &&
    run.markByDay.size === site.days.length &&
    site.days.every(({ day, mark }) => run.markByDay.get(day) === mark)
  );
}
