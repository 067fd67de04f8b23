import type { Warehouse } from './client.ts';
import { WHOLE_LIMITS } from './question-limits.ts';
import { toMark } from './visit-days.ts';
import { VISIT_DAY, VISITS_DIGEST } from './visits-table.ts';

/** A site that was paid, with what there is of it. */
export type PaidSite = {
  readonly siteId: string;
  /** Its days before. Milliseconds since 1970, UTC. */
  readonly endsAt: number;
  /** Those that had visits, ascending. */
  readonly days: readonly PaidSiteDay[];
  /** The highest of its rows in `payments` and `persons`; `0` where there is none. */
  readonly paymentsVersion: string;
  readonly personsVersion: string;
};

/** A day (UTC) on which visits of a site began. */
export type PaidSiteDay = {
  /** Counted from 1970. */
  readonly day: number;
  /** A number that is another when any visit of the day is. */
  readonly mark: string;
  /** Whether `settled_visits` holds the day as it is. */
  readonly isSettled: boolean;
};

const DAY_MS = 86_400_000;

/** The sites that were ever paid and have at least so many events in the days before an instant. */
export async function findPaidSites(
  warehouse: Pick<Warehouse, 'select'>,
  { endsAt, eventsMin }: { readonly endsAt: number; readonly eventsMin: number },
): Promise<PaidSite[]> {
  const versions = await warehouse.select<VersionsRow>(
    {
      sql: `SELECT site_id, toString(max(paid)) AS payments_version,
          toString(max(joined)) AS persons_version
        FROM (
          SELECT site_id, max(version) AS paid, 0 AS joined
          FROM payments GROUP BY site_id
          UNION ALL SELECT site_id, 0, max(version) FROM persons GROUP BY site_id
        ) GROUP BY site_id HAVING max(paid) > 0`,
    },
    WHOLE_LIMITS,
  );
  if (versions.length === 0) return [];
  const days = await warehouse.select<DaysRow>(
    {
      sql: `SELECT site_id, arraySort(groupArray((day, mark, is_settled))) AS days FROM (
          SELECT site_id, toUInt16(began_on) AS day,
            toString(${toMark('day', 'anyIf(digest, is_copy = 0)')}) AS mark,
            count() = 2 AND min(digest) = max(digest) AS is_settled,
            anyIf(size, is_copy = 0) AS events
          FROM (${digestsSql('visits', 0)} UNION ALL ${digestsSql('settled_visits', 1)})
          GROUP BY site_id, day HAVING min(is_copy) = 0)
        GROUP BY site_id HAVING sum(events) >= {eventsMin:UInt64}`,
      params: { firstOpen: endsAt / DAY_MS, eventsMin },
    },
    WHOLE_LIMITS,
  );
  const daysBySite = new Map(days.map((row) => [row.site_id, row.days]));
  return versions.flatMap(({ site_id, payments_version, persons_version }) => {
    const own = daysBySite.get(site_id);
    if (own === undefined) return [];
    return {
      siteId: site_id,
      endsAt,
      days: own.map(([day, mark, isSettled]) => ({ day, mark, isSettled: isSettled === 1 })),
      paymentsVersion: payments_version,
      personsVersion: persons_version,
    };
  });
}

function digestsSql(table: string, isCopy: 0 | 1): string {
  return `
    SELECT site_id, ${VISIT_DAY} AS began_on, ${VISITS_DIGEST} AS digest, sum(events) AS size, ${isCopy} AS is_copy
    FROM ${table} WHERE ${VISIT_DAY} < toDate({firstOpen:UInt16}) GROUP BY site_id, began_on`;
}

type VersionsRow = {
  readonly site_id: string;
  readonly payments_version: string;
  readonly persons_version: string;
};

type DaysRow = {
  readonly site_id: string;
  readonly days: readonly (readonly [day: number, mark: string, isSettled: number])[];
};
