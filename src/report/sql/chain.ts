import type { Step } from '#domain/attribution/removal-effects.ts';
import type { Bind } from '../dimension.ts';
import type { CreditedFact, Question } from '../question.ts';
import { createBindings } from './bindings.ts';
import { channelSql } from './channel.ts';
import { creditAtSql } from './credit-at.ts';
import { withPathsSql } from './paths.ts';
import { IS_SOMEBODY, joinNumbers, personNumber, toPersonNumber } from './person-numbers.ts';
import { joinPayers, joinPersons, personSql } from './persons.ts';
import { all, byPeople, within } from './rows.ts';
import type { Statement } from './statement.ts';
import { TOUCH_AT } from './touches.ts';
import { visitRowsSql } from './visit-rows.ts';

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
 *   a payment in the period has one of the visits that began in it. The question's filters change
 *   nothing: they choose among what is credited.
 */
export function toChainStatement(question: Question, of: CreditedFact): Statement {
  const { bind, params } = createBindings();
  const { rows, persons, everybody } = SUCCESSES[of](question, bind);
  const bought = withPathsSql({ rows, persons }, question, {
    bind,
    columns: ['channel'],
    more: `, ${channelSql(question.site, bind)} AS channel`,
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
        UNION ALL ${leftSql(question, everybody, bind)}
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
const SUCCESSES: Readonly<
  Record<
    CreditedFact,
    (
      question: Question,
      bind: Bind,
    ) => { readonly rows: string; readonly persons: string; readonly everybody: string }
  >
> = {
  payments(question, bind) {
    const from = `FROM payments FINAL ${joinPayers(question, bind)}
      WHERE ${within('occurred_at', question, bind)} AND kind = 'payment' AND amount_minor > 0`;
    const persons = `SELECT ${personSql(question)} AS person_id ${from} AND renewal = 0`;
    return {
      rows: `SELECT ${personSql(question)} AS person_id, ${creditAtSql(question, bind)} AS credit_at
        ${from} AND renewal = 0`,
      persons,
      everybody: `SELECT ${personSql(question)} AS person_id ${from}`,
    };
  },
  conversions(question, bind) {
    const from = `FROM events ${joinPersons(question, bind)}
      WHERE ${all(within('occurred_at', question, bind), byPeople(question), "type = 'goal'")}`;
    const persons = `SELECT ${personSql(question)} AS person_id ${from}`;
    const rows = `SELECT ${personSql(question)} AS person_id,
        toUnixTimestamp64Milli(occurred_at) AS credit_at ${from}`;
    return { rows, persons, everybody: persons };
  },
};

/** Room for the number of a channel behind the instant of a touch, in one number. */
const CHANNELS_MAX = 4_096;

/**
 * SQL of the paths of those who did not: the channels of their visits of the period, one of a
 * millisecond, and how many have each.
 *
 * Why numbers: millions of visits are put in order, and a touch is a single number then. Why by 64 bits
 * of each person: as `distinctVisitors` in metric.ts.
 */
function leftSql(question: Question, everybody: string, bind: Bind): string {
  const channel = channelSql(question.site, bind);
  const visits = visitRowsSql(question, bind, {
    columns: `visitor, ${TOUCH_AT} AS touch_at, ${channel} AS channel`,
    where: all(byPeople(question), IS_SOMEBODY),
    period: question.period,
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
        FROM (${visits}) AS visit ${joinNumbers(question, bind)}
        WHERE ${personNumber(question)} NOT IN (
          SELECT ${toPersonNumber('person_id')} FROM (${everybody}))
        GROUP BY ${personNumber(question)}
      )
    )
    GROUP BY numbers`;
}
