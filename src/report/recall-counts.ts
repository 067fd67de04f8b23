import type { ReportStatement, ReportWarehouse } from './ports.ts';
import type { RecallCounts } from './question.ts';
import { type CountedRow, type CountedRows, toCountedRows } from './sql/counted-visitors.ts';
import type { Statement } from './sql/statement.ts';

/** Of more values a statement would be longer than reading their counts takes. */
const VALUES_MAX = 1_000;
/** Bound values come in the URL, of which a ClickHouse server takes 128 KiB a value. */
const VALUES_MAX_BYTES = 64 * 1024;
/** Some tens of dashboards: some megabytes. */
const PARTS_MAX = 256;
/** What was erased since is not answered, but should not stay in memory either. */
const KNOWN_FOR_MS = 3_600_000;

/**
 * What `build` makes of a question when it may recall what was counted; asks the warehouse for what nobody asked for
 * before.
 */
export type StateRecalling = (
  warehouse: ReportWarehouse,
  build: (recallCounts: RecallCounts) => Statement,
) => Promise<Statement>;

type Known = { readonly until: number; readonly rows: CountedRows | undefined };

/**
 * Keeps what was counted of days that are over, of questions of the last hour.
 *
 * Why it needs no mark: a statement names its runs, what a run counted stays as it is, and it is for each question
 * to say which runs count (docs/decisions/0022-visitors-are-counted-ahead.md).
 */
export function createStateRecalling(): StateRecalling {
  const known = new Map<string, Known>();
  return async (warehouse, build) => {
    const missing = new Map<string, ReportStatement>();
    const recallCounts: RecallCounts = (asked) => {
      const key = JSON.stringify([asked.sql, asked.params]);
      const before = known.get(key);
      if (before !== undefined && before.until > performance.now()) return before.rows;
      missing.set(key, asked);
      return undefined;
    };
    const statement = build(recallCounts);
    if (missing.size === 0) return statement;
    await Promise.all(
      [...missing].map(async ([key, asked]) => {
        const rows = await select(warehouse, asked);
        const now = performance.now();
        for (const [old, { until }] of known) if (until <= now) known.delete(old);
        if (known.size >= PARTS_MAX) known.clear();
        known.set(key, { until: now + KNOWN_FOR_MS, rows });
      }),
    );
    return build(recallCounts);
  };
}

/** The rows, where they are few and short. */
async function select(
  warehouse: ReportWarehouse,
  { sql, params = {} }: ReportStatement,
): Promise<CountedRows | undefined> {
  const limited = { sql: `${sql} LIMIT ${VALUES_MAX + 1}`, params };
  const rows = await warehouse.select<CountedRow>(limited);
  const inUrl = encodeURIComponent(JSON.stringify(rows.map(({ shown }) => shown)));
  if (rows.length > VALUES_MAX || inUrl.length > VALUES_MAX_BYTES) return undefined;
  return toCountedRows(rows);
}
