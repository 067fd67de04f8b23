import { creditAtSql } from '../../attribution/paths.ts';
import type { Bind } from '../../dimension.ts';
import type { Scope } from '../../query/plan/plan.ts';
import {
  IS_SOMEBODY,
  joinPayers,
  joinPersons,
  payerNumber,
  personNumber,
  personSql,
} from '../../query/sql/persons.ts';
import { all, byPeople, within } from '../../query/sql/rows.ts';
import { withOpenVisitSql } from './payments.ts';

/** Which actions to find. */
export type Actions = {
  /**
   * Which rows of a table are actions; nothing where none are. Their columns by name, each from SQL of when
   * a row was (milliseconds).
   */
  readonly rowsOf: (table: 'events' | 'payments') => Rows | undefined;
  /** Whether to find the `visit` of each: of a payment, the one that was open. */
  readonly needsVisit: boolean;
};

type Rows = {
  readonly columns: (at: string) => Readonly<Record<string, string>>;
  readonly where: string | undefined;
};

/** SQL of what people did in the period: `person_number`, and the columns, the same of both tables. */
export function actionsSql({ rowsOf, needsVisit }: Actions, scope: Scope, bind: Bind): string {
  const events = rowsOf('events');
  const payments = rowsOf('payments');
  const found = [
    events && eventsSql(events, needsVisit, scope, bind),
    payments && paymentsSql(payments, needsVisit, scope, bind),
  ];
  return found.filter((sql) => sql !== undefined).join('\nUNION ALL\n');
}

function eventsSql({ columns, where }: Rows, needsVisit: boolean, scope: Scope, bind: Bind) {
  const own = named(columns('toUnixTimestamp64Milli(occurred_at)'));
  const meant = all(within('occurred_at', scope, bind), byPeople(scope), IS_SOMEBODY, where);
  return `
    SELECT ${personNumber(scope)} AS person_number, did.* EXCEPT (visitor)
    FROM (
      SELECT visitor, ${own}${needsVisit ? ', visit_id AS visit' : ''} FROM events WHERE ${meant}
    ) AS did ${joinPersons(scope, bind)}`;
}

/** A payment's date alone stands for the end of its day. */
function paymentsSql({ columns, where }: Rows, needsVisit: boolean, scope: Scope, bind: Bind) {
  const at = `toInt64(${creditAtSql(scope, bind)})`;
  const own = columns(at);
  const paid = `kind = 'payment' AND ${personSql(scope)} != ''`;
  const made = `
    SELECT ${payerNumber(scope)} AS person_number, ${named({ at, ...own })}
    FROM payments FINAL ${joinPayers(scope, bind)}
    WHERE ${all(within('occurred_at', scope, bind), paid, where)}`;
  return `
    SELECT ${['person_number', ...Object.keys(own), ...(needsVisit ? ['visit'] : [])].join(', ')}
    FROM (${needsVisit ? withOpenVisitSql(made, scope, bind) : made})`;
}

function named(columns: Readonly<Record<string, string>>): string {
  return Object.entries(columns)
    .map(([name, sql]) => `${sql} AS ${name}`)
    .join(', ');
}
