import { MONTHLY, RECURRENCES, type Recurrence } from '#domain/money/recurrence.ts';
import { type Bind, zoneSql } from '../dimension.ts';
import type { Scope } from '../query/plan/plan.ts';
import { moneyColumns } from '../query/sql/converted.ts';
import { customerSql, joinPayers } from '../query/sql/persons.ts';
import { within } from '../query/sql/rows.ts';
import { onlyMeantSql, toPaymentCondition, whoPaidSql } from './cohorts/members.ts';
import type { SplitFilter } from './cohorts/split-filter.ts';

/** Later than any day: for a charge that has no next one, or was not refunded. */
const NEVER = "toDate('2149-06-06')";

/**
 * SQL for what each charge of a subscription adds to recurring revenue, and for how long: `customer` (a number),
 * `starts_on`, `ends_on` (the first day it adds nothing), `mrr` (minor units a month), and `counted`, the first month
 * end at which the customer counts.
 *
 * - Shape: the charges of a subscription follow each other, and no day counts twice. Prorations are left out.
 * - Source: docs/decisions/0016-recurring-revenue.md; the reference in test/worlds/reference-mrr.ts.
 */
export function recurringTermsSql(
  { whom, payments }: SplitFilter,
  plan: Scope,
  bind: Bind,
): string {
  const paid = `FROM payments FINAL ${joinPayers(plan, bind)}
    WHERE ${within('occurred_at', plan, bind)} AND kind = 'payment' AND amount_minor > 0
      AND ${toPaymentCondition(payments, bind)}`;
  const [times, by] = [ofRecurrence('times'), ofRecurrence('by')];
  // A proration is smaller than one of the last 100 charges that is not due again yet, and its amount never recurs.
  const terms = `
    SELECT customer, starts_on,
      least(leadInFrame(starts_on, 1, ${NEVER}) OVER (PARTITION BY subscription ORDER BY place ${WHOLE}),
        due_on + ${ofRecurrence('graceDays')}, paid_back_on) AS ends_on,
      intDiv(2 * minor * ${times} + ${by}, toInt128(2 * ${by})) AS mrr
    FROM (
      SELECT *, addMonths(starts_on + ${ofRecurrence('days')}, ${ofRecurrence('months')}) AS due_on,
        groupArray((minor, least(due_on, paid_back_on))) OVER (PARTITION BY subscription ORDER BY place
          ROWS BETWEEN 100 PRECEDING AND 1 PRECEDING) AS earlier_charges
      FROM (${withRecurrenceSql(chargesSql(paid, plan, bind))})
    )
    WHERE typical > 0 OR NOT arrayExists(each -> each.1 > minor AND each.2 > starts_on, earlier_charges)`;
  const counted = `
    SELECT *, minIf(toLastDayOfMonth(starts_on), toLastDayOfMonth(starts_on) < ends_on) OVER (PARTITION BY customer) AS earliest,
      if(earliest = toDate(0), ${NEVER}, earliest) AS counted
    FROM (SELECT * FROM (${terms}) WHERE mrr > 0)`;
  const first = { whom, among: `SELECT ${whoSql(plan)} ${paid}`, until: plan.period.endsAt };
  return onlyMeantSql(counted, first, plan, bind);
}

/** A subscription whose payer is unknown is its own customer. */
function whoSql(plan: Scope): string {
  return whoPaidSql(
    plan,
    `if(customer_id = '' AND email = '' AND subscription_id != '',
        concat('subscription ', subscription_id), ${customerSql(plan)})`,
  );
}

/** SQL for a field of a recurrence, numbered from 1. */
function ofRecurrence(field: keyof Recurrence, number = 'recurrence'): string {
  return `${allOf(field)}[${number}]`;
}

const allOf = (field: keyof Recurrence) => `[${RECURRENCES.map((each) => each[field]).join(', ')}]`;

/**
 * Each charge with the number of its recurrence: by repeated charges of its subscription; else the most common one for
 * this product and price; else by the gap to another price; else the subscription's previous one; else monthly.
 *
 * A gap that equals have once at most, and is longer than those before, is a pause, unless the amount grew with it: the
 * reading with the smaller monthly change wins.
 */
function withRecurrenceSql(charges: string): string {
  const share = (amount: string, of: string, other: string) =>
    `${amount} * ${amount} * ${ofRecurrence('times', of)} * ${ofRecurrence('by', other)}`;
  return `
    SELECT *, arrayFirst(each -> each > 0, [sure, typical, own, earlier, ${MONTHLY + 1}]) AS recurrence
    FROM (
      SELECT *, argMaxIf(sure, (alike, -toInt8(sure)), sure > 0) OVER (PARTITION BY product, price) AS typical
      FROM (
        SELECT *, if(repeats < 2 AND found_before > 0 AND found_before < found
            AND ${share('raw', 'found', 'found_before')}
              < ${share('raw_before', 'found_before', 'found')}, found_before, found) AS own,
          if(repeats > 0, own, 0) AS sure, count() OVER (PARTITION BY product, price, sure) AS alike,
          argMaxIf(own, (sure > 0, place), own > 0) OVER (${BEFORE}) AS earlier
        FROM (${withGapsSql(charges)})
      )
    )`;
}

/** By the shortest gap between charges of its price, else to another, unless that is a plan changed within a month. */
function withGapsSql(charges: string): string {
  const isMonth = `gap > ${ofRecurrence('gapDaysMax', `${MONTHLY}`)}`;
  return `
    SELECT *, anyLastIf(found, found > 0) OVER (${BEFORE}) AS found_before,
      anyLastIf(raw, found > 0) OVER (${BEFORE}) AS raw_before
    FROM (
      SELECT *, countIf(is_repeated) OVER same AS repeats,
        if(repeats > 0, minIf(gap, is_repeated) OVER same, minIf(gap, ${isMonth}) OVER same) AS own_gap,
        toUInt8(if(own_gap = 0, 0, 1 + arrayCount(days -> own_gap > days, ${allOf('gapDaysMax')}))) AS found
      FROM (
        SELECT *, leadInFrame(starts_on, 1, starts_on) OVER whole - starts_on AS gap,
          gap > 0 AND leadInFrame(price) OVER whole = price AS is_repeated
        FROM (${charges})
        WINDOW whole AS (${ALL_OF_SERIES} place ${WHOLE})
      )
      WINDOW same AS (PARTITION BY series, price)
    )`;
}

const ALL_OF_SERIES = 'PARTITION BY series ORDER BY';
const BEFORE = `${ALL_OF_SERIES} place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING`;
const WHOLE = 'ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING';

/** Charges in the site's currency, numbered by `place` in their subscription, and when one was fully refunded. */
function chargesSql(paid: string, plan: Scope, bind: Bind): string {
  const zone = zoneSql(plan.period.timeZone, bind);
  const made = `
    SELECT ${whoSql(plan)} AS who, kind, transaction_id, currency, paid_at, ${moneyColumns(plan)}, product,
      subscription_id, renewal, occurred_at AS at, toDate(occurred_at, ${zone}) AS made_on
    ${paid}`;
  const payments = `
    SELECT paid.*, if(subscription_id != '', cityHash64('subscription', subscription_id),
        cityHash64('customer', who)) AS subscription,
      if(subscription_id != '', subscription, cityHash64('product', who, product)) AS series,
      if(back.minor >= raw_minor, back.last_on, ${NEVER}) AS paid_back_on
    FROM (${made}) AS paid LEFT JOIN (
      SELECT if(original_transaction_id = '', transaction_id, original_transaction_id) AS refunded,
        sum(amount_minor) AS minor, toDate(max(occurred_at), ${zone}) AS last_on
      FROM payments FINAL WHERE ${within('occurred_at', plan, bind)} AND kind = 'refund'
      GROUP BY refunded
    ) AS back ON paid.transaction_id = back.refunded`;
  return `
    SELECT customer, subscription, series, place, made_on AS starts_on, product,
      toInt128(raw_minor) AS raw, cityHash64(currency, raw) AS price, shown_minor AS minor, paid_back_on
    FROM (
      SELECT *, first_value(who) OVER whole AS customer, leadInFrame(renewal, 1, 0) OVER whole AS is_renewed,
        row_number() OVER (PARTITION BY subscription ORDER BY at, transaction_id) AS place
      FROM (${payments})
      WINDOW whole AS (${ALL_OF_SERIES} at, transaction_id ${WHOLE})
    )
    WHERE renewal = 1 OR if(subscription_id != '', place = 1, is_renewed = 1)`;
}
