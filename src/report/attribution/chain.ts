import type { Step } from '#domain/attribution/removal-effects.ts';
import type { Bind } from '../dimension.ts';
import type { FactPlan, Scope } from '../query/plan/plan.ts';
import { createBindings } from '../query/sql/bindings.ts';
import { channelSql } from '../query/sql/channel.ts';
import {
  IS_SOMEBODY,
  joinPayers,
  joinPersons,
  payerNumber,
  personNumber,
} from '../query/sql/persons.ts';
import { all, byPeople, within } from '../query/sql/rows.ts';
import type { Statement } from '../query/sql/statement.ts';
import { visitRowsSql } from '../query/sql/visit-rows.ts';
import { creditAtSql } from './credit-at.ts';
import { withPathsSql } from './paths.ts';

/** A row of {@link toChainStatement}'s answer. */
export type ChainRow = {
  readonly of: 'start' | 'step' | 'bought' | 'left';
  readonly origin: string;
  readonly target: string;
  readonly n: string;
};

/**
 * The statement that counts the steps of the chain that `data_driven` is learned from: the paths of the
 * period, of those who bought (or reached a goal) and of those who did not.
 *
 * - Shape: each payment above 0 that is no renewal has its path, as credit has it; each person without
 *   a payment in the period has one of the visits that began in it. The plan's filter changes
 *   nothing: they choose among what is credited.
 */
export function toChainStatement(plan: FactPlan): Statement {
  const { bind, params } = createBindings();
  const found = plan.of === 'payments' ? paymentsOf(plan, bind) : conversionsOf(plan, bind);
  const { rows, persons, everybody } = found;
  const bought = withPathsSql({ rows, persons }, plan, {
    bind,
    columns: ['channel'],
    more: `, ${channelSql(plan.site, bind)} AS channel`,
  });
  const sql = `
    SELECT step.1 AS of, step.2 AS origin, step.3 AS target, toString(sum(n)) AS n
    FROM (
      SELECT n, arrayJoin(arrayConcat([('start', '', channels[1])],
        arrayMap((origin, target) -> ('step', origin, target),
          arrayPopBack(channels), arrayPopFront(channels)),
        [(outcome, channels[-1], '')])) AS step
      FROM (
        SELECT arrayMap(touch -> touch.2, touch_path) AS channels, 'bought' AS outcome, count() AS n
        FROM (${bought}) WHERE notEmpty(touch_path) GROUP BY channels
        UNION ALL ${leftSql(plan, everybody, bind)}
      )
    )
    GROUP BY step`;
  return { sql, params };
}

/** The steps that a chain's rows tell. */
export function toSteps(rows: readonly ChainRow[]): Step[] {
  return rows.map(toStep);
}

function toStep({ of, origin: from, target: to, n }: ChainRow): Step {
  const count = Number(n);
  switch (of) {
    case 'start':
      return { of, to, count };
    case 'step':
      return { of, from, to, count };
    case 'bought':
    case 'left':
      return { of: 'end', from, isBought: of === 'bought', count };
  }
}

/** Those with a path that ends well, and everybody who had such an end in the period, with or without. */
type Successes = { readonly rows: string; readonly persons: string; readonly everybody: string };

function paymentsOf(scope: Scope, bind: Bind): Successes {
  const person = `${payerNumber(scope)} AS person_number`;
  const from = `FROM payments FINAL ${joinPayers(scope, bind)}
    WHERE ${within('occurred_at', scope, bind)} AND kind = 'payment' AND amount_minor > 0`;
  return {
    rows: `SELECT ${person}, ${creditAtSql(scope, bind)} AS credit_at ${from} AND renewal = 0`,
    persons: `SELECT ${person} ${from} AND renewal = 0`,
    everybody: `SELECT ${person} ${from}`,
  };
}

function conversionsOf(scope: Scope, bind: Bind): Successes {
  const person = `${personNumber(scope)} AS person_number`;
  const from = `FROM events ${joinPersons(scope, bind)}
    WHERE ${all(within('occurred_at', scope, bind), byPeople(scope), "type = 'goal'")}`;
  const persons = `SELECT ${person} ${from}`;
  const rows = `SELECT ${person}, toUnixTimestamp64Milli(occurred_at) AS credit_at ${from}`;
  return { rows, persons, everybody: persons };
}

/** Room for the number of a channel behind the instant of a touch, in one number. */
const CHANNELS_MAX = 4_096;

/**
 * SQL of the paths of those who did not: the channels of their visits of the period, one of a
 * millisecond, and how many have each.
 *
 * Why numbers: millions of visits are put in order, and a touch is a single number then. Why by 64 bits
 * of each person: as `distinctVisitors` in metric.ts.
 */
function leftSql(scope: Scope, everybody: string, bind: Bind): string {
  const channel = channelSql(scope.site, bind);
  const visits = visitRowsSql(scope, bind, {
    columns: `visitor, touched_at AS touch_at, ${channel} AS channel`,
    where: all(byPeople(scope), IS_SOMEBODY),
    period: scope.period,
  });
  const names = `(SELECT arraySort(groupUniqArray(channel)) FROM (${visits}))`;
  const instants = `arrayMap(touch -> intDiv(touch, ${CHANNELS_MAX}), touches)`;
  return `
    SELECT arrayMap(number -> ${names}[number], numbers) AS channels, 'left' AS outcome, count() AS n
    FROM (
      SELECT arrayMap(touch -> toUInt16(touch % ${CHANNELS_MAX}), arrayFilter(
        (touch, at, before) -> at != before, touches, ${instants},
        arrayPushFront(arrayPopBack(${instants}), 0))) AS numbers
      FROM (
        SELECT arraySort(groupArray(
          toUInt64(touch_at) * ${CHANNELS_MAX} + indexOf(${names}, channel))) AS touches
        FROM (${visits}) AS visit ${joinPersons(scope, bind)}
        WHERE ${personNumber(scope)} NOT IN (
          SELECT person_number FROM (${everybody}))
        GROUP BY ${personNumber(scope)}
      )
    )
    GROUP BY numbers`;
}
