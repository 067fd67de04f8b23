import type { ReportStatement, ReportWarehouse } from './ports.ts';
import type { FindGroupRows, GroupRow, Question } from './question.ts';
import type { Statement } from './sql/statement.ts';

/** Of more rows a statement would be longer than reading what they were counted from takes. */
const ROWS_MAX = 1_000;
/** Bound values come in the URL, of which a ClickHouse server takes 128 KiB a value, of three groups, and a megabyte in all. */
const KEYS_MAX_BYTES = 40 * 1024;
const ROWS_MAX_BYTES = 100 * 1024;
/** Some tens of dashboards: some megabytes. */
const GROUPS_MAX = 256;
/** What was erased since is not answered, but should not stay in memory either. */
const KNOWN_FOR_MS = 3_600_000;

/** What `build` makes of the rows of a question's groups, once those that can be are found. */
export type AskGroups = (build: (findRows: FindGroupRows) => Statement) => Promise<Statement>;

/** The memory of all questions: what {@link AskGroups} of one of them begins with. */
export type GroupMemory = {
  /** `isApart`: open groups are asked for as well, at once, and not only what was counted ahead. */
  of(
    warehouse: ReportWarehouse,
    question: Question,
    asked: { readonly isApart: boolean },
  ): AskGroups;
};

type Rows = readonly GroupRow[] | undefined;
type Missing = { readonly statement: ReportStatement; readonly of: 'settled' | 'open' };

/**
 * Keeps what was counted of days that are over, of questions of the last hour; and who has too many open rows to
 * be asked for by themselves.
 *
 * Why it needs no mark: a statement names its runs, what a run counted stays as it is, and it is for each question
 * to say which runs count (docs/decisions/0022-visitors-are-counted-ahead.md).
 */
export function createGroupMemory(): GroupMemory {
  const settled = createKeptForAWhile<Rows>();
  const isLarge = createKeptForAWhile<true>();
  return {
    of(warehouse, question, { isApart }) {
      const found = new Map<string, Promise<Rows>>();
      const rowsByKey = new Map<string, Rows>();
      const kind = JSON.stringify([question.site.id, question.dimensions.map(({ name }) => name)]);
      const select = async ({ statement, of }: Missing): Promise<Rows> => {
        const rows = await selectFew(warehouse, statement);
        if (rows === undefined && of === 'open') isLarge.set(kind, true);
        return rows;
      };
      return async (build) => {
        const missing = new Map<string, Missing>();
        const isOpenAsked = isApart && !isLarge.has(kind);
        const findRows: FindGroupRows = (toStatement, of) => {
          if (of === 'open' && !isOpenAsked) return undefined;
          const statement = toStatement();
          const key = JSON.stringify([statement.sql, statement.params]);
          if (settled.has(key)) return settled.get(key);
          if (rowsByKey.has(key)) return rowsByKey.get(key);
          missing.set(key, { statement, of });
          return undefined;
        };
        const statement = build(findRows);
        if (missing.size === 0) return statement;
        const asking = [...missing].map(async ([key, asked]) => {
          const rows = await found.getOrInsertComputed(key, () => select(asked));
          if (asked.of === 'settled') settled.set(key, rows);
          rowsByKey.set(key, rows);
        });
        await Promise.all(asking);
        return build(findRows);
      };
    },
  };
}

/** The rows, where they are few and short. */
async function selectFew(
  warehouse: ReportWarehouse,
  { sql, params = {} }: ReportStatement,
): Promise<Rows> {
  const limited = { sql: `${sql} LIMIT ${ROWS_MAX + 1}`, params };
  const rows = await warehouse.select<GroupRow>(limited);
  const keys = encodeURIComponent(JSON.stringify(rows.map((row) => row.keys)));
  const isFew = rows.length <= ROWS_MAX && keys.length <= KEYS_MAX_BYTES;
  return isFew && JSON.stringify(rows).length <= ROWS_MAX_BYTES ? rows : undefined;
}

function createKeptForAWhile<Value>() {
  const known = new Map<string, { readonly until: number; readonly value: Value }>();
  return {
    has: (key: string) => (known.get(key)?.until ?? 0) > performance.now(),
    get: (key: string) => known.get(key)?.value,
    set(key: string, value: Value) {
      const now = performance.now();
      for (const [old, { until }] of known) if (until <= now) known.delete(old);
      if (known.size >= GROUPS_MAX) known.clear();
      known.set(key, { until: now + KNOWN_FOR_MS, value });
    },
  };
}
