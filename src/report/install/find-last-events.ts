import { DAY_MS } from '#domain/time/durations.ts';
import type { ReportSite, ReportWarehouse } from '../ports.ts';
import { createBindings, instant, ofSite } from '../query/sql/rows.ts';

/** The last pageview or goal of a site. */
export type LastEvent = {
  readonly type: 'pageview' | 'goal';
  /** Milliseconds, UTC. */
  readonly at: number;
  readonly hostname: string;
  readonly path: string;
  /** Of a goal. */
  readonly name: string;
  /** Whether a backend reported it. */
  readonly isFromServer: boolean;
};

/** How far back to look. */
export const LOOK_BACK_DAYS = 30;

type Row = Readonly<Record<'at' | 'hostname' | 'path' | 'name', string>> & {
  readonly type: LastEvent['type'];
  readonly extends: number;
};

/** Finds the last pageview and the last goal. Bots count, because they show that the script works. */
export async function findLastEvents(
  warehouse: Pick<ReportWarehouse, 'select'>,
  site: ReportSite,
  now: number,
): Promise<LastEvent[]> {
  const { bind, params } = createBindings();
  const from = instant(now - LOOK_BACK_DAYS * DAY_MS, bind);
  const last = (column: string) => `argMax(${column}, (occurred_at, event_id))`;
  const sql = `
    SELECT toString(type) AS type, toString(toUnixTimestamp64Milli(max(occurred_at))) AS at,
      ${last('hostname')} AS hostname, ${last('path')} AS path, ${last('name')} AS name,
      ${last('extends_visit')} AS extends
    FROM events
    WHERE ${ofSite({ site }, bind)} AND occurred_at >= ${from} AND type IN ('pageview', 'goal')
    GROUP BY type`;
  const rows = await warehouse.select<Row>({ sql, params });
  return rows.map(({ type, at, hostname, path, name, extends: isOfPage }) => ({
    ...{ type, at: Number(at), hostname, path, name, isFromServer: isOfPage === 0 },
  }));
}
