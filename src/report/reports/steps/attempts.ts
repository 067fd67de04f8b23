import { NO_VISIT } from '#contract/rows/visit-row.ts';
import type { Step } from '#contract/step.ts';
import { assert } from '#domain/assert.ts';
import type { Bind } from '../../dimension.ts';
import type { Scope } from '../../query/plan/plan.ts';
import { creditAtSql } from '../../query/sql/attribution/paths.ts';
import {
  IS_SOMEBODY,
  joinPayers,
  joinPersons,
  payerNumber,
  personNumber,
  personSql,
} from '../../query/sql/persons.ts';
import { all, byPeople, instant, within } from '../../query/sql/rows.ts';
import { withOpenVisitSql } from './payments.ts';
import { stepSql, tableOf, type Window } from './step.ts';

/** Leaves a bit for each step in an action's number. */
const CODE_STEPS = 256;

/** The steps to find. */
type Sought = {
  readonly steps: readonly Step[];
  /** The first step must precede this time; milliseconds. */
  readonly before: number;
  readonly needsVisit: boolean;
};

/**
 * SQL for the attempt that counts of everyone who took the first step: `person_number`, `level` (the number of steps
 * taken), and `took`, a tuple of the action at each step.
 *
 * - Shape: the attempt that got furthest counts; of several, the earliest. An attempt begins with any action of the
 *   first step, in its `visit`, and takes the next action of each further step within the window. An action is the
 *   number of {@link stepActionsSql}; {@link atSql} extracts its time.
 */
export function attemptsSql(sought: Sought, window: Window, scope: Scope, bind: Bind): string {
  const count = sought.steps.length;
  const needsVisit = sought.needsVisit || window === 'visit';
  const actions = stepActionsSql({ ...sought, needsVisit }, scope, bind);
  if (window === 'visit') {
    const inVisits = `SELECT * FROM (${actions}) WHERE visit != ${NO_VISIT}`;
    return `
    SELECT person_number, -best.1 AS level, best.2 AS took, best.3 AS visit
    FROM (
      SELECT person_number, min((-toInt64(level), took, visit)) AS best
      FROM (${bestSql(groupedSql(inVisits, 'person_number, visit'), count, undefined)})
      GROUP BY person_number
    )`;
  }
  const more = needsVisit ? ', groupArray(visit) AS visits' : '';
  const grouped = groupedSql(actions, 'person_number', more);
  const visit = needsVisit
    ? ', arrayMin(arrayFilter((one, code) -> code = took.1, visits, found)) AS visit'
    : '';
  return `
    SELECT person_number, level, took${visit}
    FROM (${bestSql(grouped, count, bind(window, 'Int64'))})`;
}

/**
 * SQL for all actions in the period that match a step, as {@link actionsSql} has them: `code` is the time
 * (milliseconds), with a bit for each step it matches, the first step lowest.
 *
 * - Why one number: it sorts by time, and within a millisecond by the order of the steps.
 */
export function stepActionsSql(sought: Sought, scope: Scope, bind: Bind): string {
  const { steps, before, needsVisit } = sought;
  assert(2 ** steps.length <= CODE_STEPS, 'each step has a bit');
  const early = before < scope.period.endsAt ? ` AND occurred_at < ${instant(before, bind)}` : '';
  const rowsOf: Actions['rowsOf'] = (table) => {
    const conditions = steps.flatMap((step, bit) => {
      if (tableOf(step) !== table) return [];
      return [{ bit, sql: `${stepSql(step, scope, bind)}${bit === 0 ? early : ''}` }];
    });
    if (conditions.length === 0) return undefined;
    const bits = conditions.map(({ sql, bit }) => `if(${sql}, ${2 ** bit}, 0)`).join(' + ');
    return {
      columns: (at) => ({ code: `toInt64(${at}) * ${CODE_STEPS} + ${bits}` }),
      where: `(${conditions.map(({ sql }) => `(${sql})`).join(' OR ')})`,
    };
  };
  return actionsSql({ rowsOf, needsVisit }, scope, bind);
}

/** SQL for an action's time, in milliseconds. */
export function atSql(code: string): string {
  return `intDiv(${code}, ${CODE_STEPS})`;
}

/**
 * SQL for the actions (`found`, unordered) of everyone who took the first step, and when they first did.
 *
 * - Shape: `codes` has them in order; empty for people who never took the second step, as most did not.
 */
function groupedSql(actions: string, keys: string, more = ''): string {
  return `
    SELECT *, if(bitAnd(steps, 3) = 3, arraySort(found), []) AS codes
    FROM (
      SELECT ${keys}${more}, groupArray(code) AS found,
        minIf(code, bitTest(code, 0)) AS first, groupBitOr(bitAnd(code, ${CODE_STEPS - 1})) AS steps
      FROM (${actions})
      GROUP BY ${keys}
      HAVING bitTest(steps, 0)
    )`;
}

/**
 * SQL for the best attempt over `codes`: `level` and `took`.
 *
 * Why from the last step to the first: one pass over the array for each step then finds what follows each action,
 * whatever its length.
 */
function bestSql(grouped: string, count: number, windowMs: string | undefined): string {
  const tuple = (...elements: string[]) => `tuple(${elements.join(', ')})`;
  const zeros = (length: number) => Array.from({ length }, () => 'toInt64(0)');
  const passes: string[] = [];
  let later = 'codes'; // Nothing follows the last step.
  for (let step = count; step >= 1; step -= 1) {
    const after = zeros(count - step).map((_, index) => `further.${index + 1}`);
    const none = tuple(...zeros(count - step + 1));
    passes.push(
      `arrayMap((code, further) -> if(bitTest(code, ${step - 1}), ${tuple('code', ...after)}, ${none}),
        codes, ${later}) AS ways${step}`,
      `arrayShiftLeft(arrayReverseFill(way -> way.1 != 0, ways${step}), 1, ${none}) AS after${step}`,
    );
    later = `after${step}`;
  }
  const further = zeros(count - 1).map((_, index) => {
    const at = `took.${index + 2}`;
    const isInTime = `${atSql(at)} - ${atSql('took.1')} <= ${windowMs}`;
    return windowMs === undefined ? `(${at} != 0)` : `(${at} != 0 AND ${isInTime})`;
  });
  return `
    SELECT * EXCEPT (attempts, levels), greatest(arrayMax(levels), 1) AS level,
      if(empty(codes), ${tuple('first', ...zeros(count - 1))}, attempts[indexOf(levels, level)]) AS took
    FROM (
      SELECT *, arrayFilter(way -> way.1 != 0, ways1) AS attempts,
        arrayMap(took -> 1 + ${further.join(' + ')}, attempts) AS levels
      FROM (SELECT *, ${passes.slice(0, -1).join(', ')} FROM (${grouped}))
    )`;
}

type Actions = {
  /**
   * Which rows of a table are actions; undefined if none are. `columns` takes SQL for the time of a row
   * (milliseconds).
   */
  readonly rowsOf: (table: 'events' | 'payments') => Rows | undefined;
  /** Whether to find each one's `visit`: for a payment, the one that was open. */
  readonly needsVisit: boolean;
};

type Rows = {
  readonly columns: (at: string) => Readonly<Record<string, string>>;
  readonly where: string | undefined;
};

/** SQL for people's actions in the period: `person_number`, and the same columns for both tables. */
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

/** A payment with only a date is at the end of its day. */
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
