import { creditAtSql } from '../../attribution/credit-at.ts';
import type { Bind } from '../../dimension.ts';
import type { Scope } from '../../query/plan/plan.ts';
import { IS_SOMEBODY } from '../../query/sql/person-numbers.ts';
import { all, byPeople, within } from '../../query/sql/rows.ts';
import { withOpenVisitSql } from './open-visit.ts';
import type { Who } from './step.ts';
import { joinWho, joinWhoNumbers, joinWhoPaid, whoNumber, whoSql, whoText } from './who.ts';

/** Whose acts are looked for, when, and what is to be known of each. */
export type Sought = {
  readonly by: Who;
  /** Its period is all that is looked at. */
  readonly plan: Scope;
  readonly tellsVisit: boolean;
  readonly tellsText: boolean;
};

/** Rows of a table: columns by name, each from SQL of when a row was (milliseconds), and which rows. */
type Rows = {
  readonly columns: (at: string) => Readonly<Record<string, string>>;
  readonly where: string | undefined;
};

/**
 * SQL of what people did in the period: `who`, and the columns, the same of both tables.
 *
 * - Shape: with `visit`, the one it belongs to (for a payment the one that was open), and `who_text`, whose
 *   it is, where these are to be told.
 */
export function actsSql(
  sought: Sought,
  {
    events,
    payments,
  }: { readonly events?: Rows | undefined; readonly payments?: Rows | undefined },
  bind: Bind,
): string {
  const ofEvents = events === undefined ? [] : [eventsSql(sought, events, bind)];
  const ofPayments = payments === undefined ? [] : [paymentsSql(sought, payments, bind)];
  return [...ofEvents, ...ofPayments].join('\nUNION ALL\n');
}

function eventsSql({ by, plan, tellsVisit, tellsText }: Sought, rows: Rows, bind: Bind): string {
  const columns = [
    ...named(rows.columns('toUnixTimestamp64Milli(occurred_at)')),
    ...(tellsVisit ? ['visit_id AS visit'] : []),
  ].join(', ');
  const where = all(within('occurred_at', plan, bind), byPeople(plan), IS_SOMEBODY, rows.where);
  if (tellsText) {
    return `
      SELECT ${whoSql(by, plan)} AS who, ${columns}, ${whoText(by, plan)} AS who_text
      FROM events ${joinWho(by, plan, bind)} WHERE ${where}`;
  }
  return `
    SELECT ${whoNumber(by, plan)} AS who, did.* EXCEPT (visitor)
    FROM (SELECT visitor, ${columns} FROM events WHERE ${where}) AS did ${joinWhoNumbers(by, plan, bind)}`;
}

/** A payment's date alone stands for the end of its day. */
function paymentsSql({ by, plan, tellsVisit, tellsText }: Sought, rows: Rows, bind: Bind): string {
  const at = `toInt64(${creditAtSql(plan, bind)})`;
  const columns = rows.columns(at);
  const told = [...Object.keys(columns), ...(tellsVisit ? ['visit'] : [])];
  const text = tellsText ? [`${whoText(by, plan)} AS who_text`] : [];
  const where = all(
    within('occurred_at', plan, bind),
    "kind = 'payment'",
    `${whoText(by, plan)} != ''`,
    rows.where,
  );
  const made = `
    SELECT ${[`${whoSql(by, plan)} AS who`, ...named({ at, ...columns }), ...text].join(', ')}
    FROM payments FINAL ${joinWhoPaid(by, plan, bind)} WHERE ${where}`;
  return `
    SELECT ${['who', ...told, ...(tellsText ? ['who_text'] : [])].join(', ')}
    FROM (${tellsVisit ? withOpenVisitSql(made, by, plan, bind) : made})`;
}

function named(columns: Readonly<Record<string, string>>): string[] {
  return Object.entries(columns).map(([name, sql]) => `${sql} AS ${name}`);
}
