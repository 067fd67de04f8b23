import type { ReportSite, ReportWarehouse, Stops } from '../ports.ts';
import { all, createBindings, within } from '../query/sql/rows.ts';
import type { RowsOf } from './page-statement.ts';
import { RECORDED } from './recorded-columns.ts';
import { type CountRows, type Span, sliceSpan } from './slice-span.ts';

/** Rows of a page: a few megabytes. */
const ROWS_MAX = 20_000;

/** Which rows of the warehouse to export. */
type MeantRows = {
  readonly site: ReportSite;
  readonly content: keyof typeof RECORDED;
  readonly period: Span & { readonly timeZone: string };
  readonly bots: boolean;
  readonly isPersonal: boolean;
  readonly stops?: Stops | undefined;
};

/** Yields the pages of what the warehouse has recorded, in order of time. */
export async function* recordedPages(
  warehouse: ReportWarehouse,
  { site, content, period, bots, isPersonal, stops }: MeantRows,
): AsyncGenerator<RowsOf> {
  const { table, at, id, isOfPeople, sqlOf } = RECORDED[content];
  const count: CountRows = async (span, widthMs) => {
    const { bind, params } = createBindings();
    const sql = `
      SELECT intDiv(toUnixTimestamp64Milli(${at}) - ${bind(span.startsAt, 'Int64')}, ${bind(widthMs, 'Int64')}) AS place,
        count() AS n
      FROM ${content} WHERE ${within(at, { site, period: span }, bind)} GROUP BY place ORDER BY place`;
    const rows = await warehouse.select<CountRow>({ sql, params }, { ...stops, threadsMax: 1 });
    return rows.map(({ place, n }) => ({ place: Number(place), rows: Number(n) }));
  };
  for await (const span of sliceSpan(period, ROWS_MAX, count)) {
    yield (bind) => ({
      from: `${table} WHERE ${all(within(at, { site, period: span }, bind), bots ? '1' : isOfPeople)}`,
      sqlOf: (name) => sqlOf(name, { site, period }, bind, isPersonal),
      orderBy: [at, id],
    });
  }
}

type CountRow = { readonly place: string; readonly n: string };
