import type { Mrr } from '#contract/reports/mrr.ts';
import { MONTHLY, RECURRENCES, type Recurrence } from '#domain/money/recurrence.ts';
import type { Bind } from '../../dimension.ts';
import type { Scope } from '../../query/plan/plan.ts';
import { convertedSql } from '../../query/sql/converted.ts';
import { customerSql } from '../../query/sql/customer.ts';
import { zoneSql } from '../../query/sql/engine-zone.ts';
import { joinPayers } from '../../query/sql/persons.ts';
import { within } from '../../query/sql/rows.ts';
import { toPaymentCondition, whoPaidSql } from '../cohorts/money.ts';
import type { SplitFilter } from '../cohorts/split-filter.ts';
import type { ParsedReport, Planned } from '../report-kind.ts';

/** A query about monthly recurring revenue, parsed: of all that was paid up to now. */
export type MrrQuery = ParsedReport & {
  readonly asked: Mrr;
  readonly filter: SplitFilter;
  /** Where each month begins that has begun, and where the last one ends. */
  readonly startsAt: readonly number[];
};

/** Later than any day: of a charge without a next one, or that was not paid back. */
const NEVER = "toDate('2149-06-06')";

/**
 * SQL of what each charge of a subscription adds to recurring revenue, and how long: `customer` (a
 * number), `starts_on`, `ends_on` (the first day it adds nothing), and `mrr` (minor units a month).
 *
 * - Shape: a customer's subscriptions and their charges follow each other without a day twice.
 * - Source: docs/decisions/0016-recurring-revenue.md; the reference in test/worlds/reference-mrr.ts.
 */
export function recurringTermsSql(report: Planned<MrrQuery>, bind: Bind): string {
  const due = multiIf('recurrence', ({ every }) =>
    every.unit === 'day' ? `starts_on + ${every.count}` : `addMonths(starts_on, ${every.count})`,
  );
  const grace = multiIf('recurrence', ({ graceDays }) => `${graceDays}`);
  const mrr = multiIf(
    'recurrence',
    ({ monthly: { times, by } }) => `intDiv(2 * minor * ${times} + ${by}, toInt128(${2 * by}))`,
  );
  return `
    SELECT customer, starts_on, least(next_on, ${due} + ${grace}, paid_back_on) AS ends_on, ${mrr} AS mrr
    FROM (${withRecurrenceSql(report, bind)})`;
}

/** SQL of who paid, of every payment that is meant. */
export function subscribersSql({ plan, filter }: Planned<MrrQuery>, bind: Bind): string {
  return `SELECT ${whoSql(plan)} FROM payments FINAL ${joinPayers(plan, bind)}
    WHERE ${within('occurred_at', plan, bind)} AND kind = 'payment' AND amount_minor > 0
      AND ${toPaymentCondition(filter.payments, bind)}`;
}

/** A subscription of nobody known is a customer of its own. */
function whoSql(plan: Scope): string {
  return whoPaidSql(
    plan,
    `if(customer_id = '' AND email = '' AND subscription_id != '',
        concat('subscription ', subscription_id), ${customerSql(plan)})`,
  );
}

/**
 * Each charge with the number of its recurrence, from 1: by the gaps of its subscription; by what is most
 * common for this product and amount; by what its subscription had before; or monthly.
 */
function withRecurrenceSql(report: Planned<MrrQuery>, bind: Bind): string {
  const known = `
    SELECT *, count() OVER (PARTITION BY product, currency, raw, own) AS alike,
      anyLastIf(own, own > 0) OVER (${BEFORE}) AS earlier
    FROM (${withOwnRecurrenceSql(report, bind)})`;
  return `
    SELECT *, multiIf(own > 0, own, typical > 0, typical, earlier > 0, earlier, ${MONTHLY + 1}) AS recurrence
    FROM (
      SELECT *, argMaxIf(own, (alike, -toInt8(own)), own > 0) OVER (PARTITION BY product, currency, raw) AS typical
      FROM (${known})
    )`;
}

/**
 * By the shortest gap after a charge of this amount; 0 where there is none. A gap that came once, and is
 * longer than those before, is a pause of the subscription as it was, unless the amount grew with it: of
 * the two what changes less by the month.
 */
function withOwnRecurrenceSql(report: Planned<MrrQuery>, bind: Bind): string {
  const gaps = `
    SELECT *, leadInFrame(starts_on, 1, ${NEVER}) OVER (${ALL_OF_SERIES} starts_on ${WHOLE}) AS next_on,
      if(next_on = ${NEVER}, 0, next_on - starts_on) AS gap
    FROM (${chargesSql(report, bind)})`;
  const shortest = `
    SELECT *, minIf(gap, gap > 0) OVER same AS own_gap, countIf(gap > 0) OVER same AS own_gaps
    FROM (${gaps}) WINDOW same AS (PARTITION BY series, currency, raw)`;
  const cases = RECURRENCES.slice(0, -1).map(
    ({ gapDaysMax }, index) => `own_gap <= ${gapDaysMax}, ${index + 1}`,
  );
  const found = `
    SELECT *, multiIf(own_gap = 0, 0, ${cases.join(', ')}, ${RECURRENCES.length}) AS found
    FROM (${shortest})`;
  const times = `[${RECURRENCES.map(({ monthly }) => monthly.times).join(', ')}]`;
  const by = `[${RECURRENCES.map(({ monthly }) => monthly.by).join(', ')}]`;
  return `
    SELECT *, if(own_gaps = 1 AND found_before > 0 AND found_before < found
        AND raw * raw * ${times}[found] * ${by}[found_before]
          < raw_before * raw_before * ${times}[found_before] * ${by}[found], found_before, found) AS own
    FROM (
      SELECT *, anyLastIf(found, found > 0) OVER (${BEFORE}) AS found_before,
        anyLastIf(raw, found > 0) OVER (${BEFORE}) AS raw_before
      FROM (${found})
    )`;
}

const ALL_OF_SERIES = 'PARTITION BY series ORDER BY';
const BEFORE = `${ALL_OF_SERIES} starts_on ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING`;
const WHOLE = 'ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING';

/** Charges, of which those of one day are one. */
function chargesSql(report: Planned<MrrQuery>, bind: Bind): string {
  return `
    SELECT series, made_on AS starts_on, min(subscriber) AS customer, min(product_name) AS product,
      min(paid_in) AS currency, sum(toInt128(raw_minor)) AS raw, sum(amount_minor) AS minor,
      max(back_on) AS paid_back_on
    FROM (
      SELECT *, currency AS paid_in, product AS product_name,
        row_number() OVER (${ALL_OF_SERIES} at, transaction_id ${WHOLE}) AS place,
        leadInFrame(renewal, 1, 0) OVER (${ALL_OF_SERIES} at, transaction_id ${WHOLE}) AS is_renewed,
        first_value(who) OVER (${ALL_OF_SERIES} at, transaction_id ${WHOLE}) AS subscriber
      FROM (${paymentsSql(report, bind)})
    )
    WHERE renewal = 1 OR if(subscription_id != '', place = 1, is_renewed = 1)
    GROUP BY series, starts_on`;
}

/** Payments in the site's currency, and when all of one was paid back. */
function paymentsSql({ plan, filter }: Planned<MrrQuery>, bind: Bind): string {
  const zone = zoneSql(plan.period.timeZone, bind);
  const period = within('occurred_at', plan, bind);
  const made = `
    SELECT ${whoSql(plan)} AS who, kind, transaction_id, currency, paid_at, amount_minor AS raw_minor, product,
      subscription_id, renewal, occurred_at AS at, toDate(occurred_at, ${zone}) AS made_on
    FROM payments FINAL ${joinPayers(plan, bind)}
    WHERE ${period} AND kind = 'payment' AND amount_minor > 0
      AND ${toPaymentCondition(filter.payments, bind)}`;
  const converted = convertedSql(made, plan, { bind, tellsBefore: false });
  return `
    SELECT paid.*, if(subscription_id != '', cityHash64('subscription', subscription_id),
        cityHash64('product', who, product)) AS series,
      if(back.minor >= raw_minor, back.last_on, ${NEVER}) AS back_on
    FROM (${converted}) AS paid LEFT JOIN (
      SELECT if(original_transaction_id = '', transaction_id, original_transaction_id) AS refunded,
        sum(amount_minor) AS minor, toDate(max(occurred_at), ${zone}) AS last_on
      FROM payments FINAL WHERE ${period} AND kind = 'refund'
      GROUP BY refunded
    ) AS back ON paid.transaction_id = back.refunded`;
}

function multiIf(column: string, toSql: (recurrence: Recurrence) => string): string {
  const cases = RECURRENCES.map((each, index) => `${column} = ${index + 1}, ${toSql(each)}`);
  const last = RECURRENCES.at(-1);
  return `multiIf(${cases.slice(0, -1).join(', ')}, ${last === undefined ? '' : toSql(last)})`;
}
