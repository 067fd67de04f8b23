import type { Bind } from '../dimension.ts';
import type { GroupRow, Question } from '../question.ts';
import { createBindings } from './bindings.ts';
import type { Count } from './counts.ts';
import { columns } from './rows.ts';
import type { Statement } from './statement.ts';

/** Rows of counts by a question's dimensions, as SQL: columns `d0, …` and every count's own. */
export type Group = {
  readonly toSql: (bind: Bind) => string;
  /**
   * `settled`: what runs counted (docs/decisions/0022-visitors-are-counted-ahead.md), the same as long as these are
   * what counts. `happened` and `credited`: what may change, visits get the credit for the latter. `constant`: nothing
   * is read for it.
   */
  readonly of: 'settled' | 'happened' | 'credited' | 'constant';
};

/**
 * SQL of all groups. Those whose rows are known already come as bound values, added up to one.
 *
 * - Why what happened and what is credited by themselves, where there is both: they cost about as much, and the
 *   engine plans one while it plans the other. One alone would only wait for a second statement.
 */
export function groupsAsSql(
  question: Question,
  groups: readonly Group[],
  counts: readonly Count[],
  bind: Bind,
): string[] {
  const { findRows } = question;
  if (findRows === undefined) return groups.map(({ toSql }) => toSql(bind));
  const by = Map.groupBy(groups, ({ of }) => of);
  const [happened = [], credited = []] = [by.get('happened'), by.get('credited')];
  const halves = happened.length > 0 && credited.length > 0 ? [happened, credited] : [];
  const settled = (by.get('settled') ?? []).map((group) => [group]);
  const found = [
    ...settled.map((own) => ({ own, of: 'settled' as const })),
    ...halves.map((own) => ({ own, of: 'open' as const })),
  ].map(({ own, of }) => ({
    own,
    rows: findRows(() => toGroupsStatement(question, own, counts), of),
  }));
  const known = found.flatMap(({ rows = [] }) => rows);
  const isKnown = new Set(found.flatMap(({ own, rows }) => (rows === undefined ? [] : own)));
  const sqls = groups.filter((group) => !isKnown.has(group)).map(({ toSql }) => toSql(bind));
  return isKnown.size > 0 ? [...sqls, knownSql(question, known, counts, bind)] : sqls;
}

/** The statement whose rows are {@link GroupRow}s, several of the same keys among them. */
function toGroupsStatement(
  { dimensions }: Question,
  groups: readonly Group[],
  counts: readonly Count[],
): Statement {
  const { bind, params } = createBindings();
  const keys = columns('d', dimensions).map((key) => `toString(${key})`);
  const amounts = counts.map(({ column }) => `toString(${column})`);
  const sql = `SELECT [${keys.join(', ')}] AS keys, [${amounts.join(', ')}] AS amounts FROM (${groups.map(({ toSql }) => toSql(bind)).join('\nUNION ALL\n')})`;
  return { sql, params };
}

/** SQL of a group that is bound. */
function knownSql(
  { dimensions }: Question,
  rows: readonly GroupRow[],
  counts: readonly Count[],
  bind: Bind,
): string {
  const added = addUp(rows);
  const keys = dimensions.map(({ of }, index) => {
    const texts = bind(
      added.map((row) => row.keys[index] ?? ''),
      'Array(String)',
    );
    const type = of === 'time' ? 'Int64' : 'String';
    return { name: `d${index}`, values: `CAST(${texts}, 'Array(${type})')` };
  });
  const amounts = counts.map(({ column }, index) => {
    const texts = bind(
      added.map((row) => row.amounts[index] ?? '0'),
      'Array(String)',
    );
    return { name: column, values: `CAST(${texts}, 'Array(Int128)')` };
  });
  const all = [...keys, ...amounts];
  const selected = all.map(({ name }, index) => `tupleElement(row, ${index + 1}) AS ${name}`);
  return `SELECT ${selected.join(', ')}
    FROM (SELECT arrayJoin(arrayZip(${all.map(({ values }) => values).join(', ')})) AS row)`;
}

function addUp(rows: readonly GroupRow[]): GroupRow[] {
  const rowsByKeys = new Map<string, { keys: readonly string[]; sums: bigint[] }>();
  for (const { keys, amounts } of rows) {
    const { sums } = rowsByKeys.getOrInsertComputed(JSON.stringify(keys), () => ({
      keys,
      sums: amounts.map(() => 0n),
    }));
    for (const [index, amount] of amounts.entries())
      sums[index] = (sums[index] ?? 0n) + BigInt(amount);
  }
  return [...rowsByKeys.values()].map(({ keys, sums }) => ({ keys, amounts: sums.map(String) }));
}
