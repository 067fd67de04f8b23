import type { Bind } from '../dimension.ts';
import type { Question } from '../question.ts';
import { type Ahead, type By, quarterSql } from './counted-by.ts';
import { all } from './rows.ts';

/** SQL of a `value` and an `amount`: visitors who were counted ahead. */
export function countedVisitorsSql(
  { value, shown, isNew }: By,
  ahead: Ahead,
  question: Question,
  bind: Bind,
): string {
  return `
    SELECT shown AS value, amount
    FROM (SELECT ${shown} AS shown, amount FROM settled_counts
      WHERE ${all(isCounted(ahead, question, bind), `counted = ${bind(value.name, 'String')}`, isNew)})`;
}

/** SQL of which rows of `settled_counts` are of a period, and count. */
export function isCounted({ period, runs }: Ahead, { site }: Question, bind: Bind): string {
  return all(
    `site_id = ${bind(site.id, 'String')}`,
    `quarter >= ${quarterSql(period.startsAt, bind)} AND quarter < ${quarterSql(period.endsAt, bind)}`,
    `run IN ${bind(runs, 'Array(UInt64)')}`,
  );
}
