import { NONE } from '#domain/row-labels.ts';
import type { Bind } from '../../../dimension.ts';
import type { FactPlan } from '../../plan/plan.ts';
import { creditedSql, firstTouchesSql } from '../attribution/credit.ts';
import { creditAtSql, type Facts, withPathsSql, withWaySql } from '../attribution/paths.ts';
import { moneyColumns } from '../converted.ts';
import { FIRST_COLUMNS, withFirstVisitSql } from '../first-visit.ts';
import {
  customerSql,
  isPerson,
  isVisitorOfPersons,
  joinPayers,
  payerNumber,
  personHasDoneSql,
  personSql,
} from '../persons.ts';
import {
  all,
  arraySql,
  columns,
  type FactSql,
  fromArraySql,
  isTrial,
  ofSite,
  valueColumns,
  within,
} from '../rows.ts';
import { byVisitEvents } from './by-visit-events.ts';

/**
 * Payments and refunds made in the period, with a row for each visit credited with a share. Visit dimensions come
 * from that visit.
 *
 * - Units: `shown_minor` in the site's currency; 0 for money without a rate.
 * - `which`: SQL condition over a row of `payments`, to select a few: the others are not credited.
 */
export function paymentsSql(plan: FactPlan, bind: Bind, which?: string): FactSql {
  const from = `${joinPayers(plan, bind)}
    WHERE ${all(within('occurred_at', plan, bind), isPerson(payerNumber(plan), plan, bind), which)}`;
  const made = `
    SELECT visitor_id, ${payerNumber(plan)} AS person_number, kind, transaction_id, currency, paid_at, ${moneyColumns(plan)}, renewal, is_dispute,
      toUnixTimestamp64Milli(occurred_at) AS at${isByPath(plan) ? `, ${creditAtSql(plan, bind)} AS credit_at` : ''}${valueColumns('y', plan.values.payment, plan, bind)}${payerColumns(plan, bind)}
    FROM payments FINAL ${from}`;
  // Without FINAL: replaced rows only add persons to look for.
  const persons = `SELECT ${payerNumber(plan)} AS person_number FROM payments ${from}`;
  const known = withFirstVisitSql(made, plan, bind, { of: 'person', among: persons });
  const placed = withLastVisitSql({ rows: known, persons }, plan, bind);
  const payments = plan.needs.has('path')
    ? withWaySql({ rows: placed, persons }, plan, bind)
    : placed;
  const columnsOfFirst = [...FIRST_COLUMNS, ...columns('v', plan.values.visit)];
  const firsts =
    plan.credit.to === 'first' && plan.values.event.length > 0
      ? fromArraySql('firsts', columnsOfFirst)
      : undefined;
  const facts = { rows: payments, persons, amounts: ['shown'], firstTouches: firsts };
  const found = byVisitEvents(creditedSql(facts, plan, bind), plan, {
    visit: 'credited_visit',
    events: ofSite(plan, bind), // At any time: the credited visit may be long ago.
    shown: firsts
      ? `${HALF_OF}(visit_id) IN (SELECT ${HALF_OF}(first_visit) FROM (${firsts}))`
      : isVisitorOfPersons(persons, plan, bind),
    hasDone: (filter) => personHasDoneSql(plan, filter, bind),
    bind,
  });
  if (firsts === undefined) return found;
  const array = arraySql(firstTouchesSql(persons, plan, bind), columnsOfFirst);
  return { ...found, from: `(WITH (${array}) AS firsts SELECT * FROM ${found.from}) AS fact` };
}

/** Half of a UUID. Looking up halves among all events takes half the time, and visits are joined by the whole. */
const HALF_OF = 'reinterpretAsUInt64';

/** Whether payments are joined with their payers' visits. */
function isByPath({ credit, needs, values }: FactPlan): boolean {
  return credit.to !== 'none' || needs.has('path') || values.lastVisit.length > 0;
}

/** The payer's columns, and whether it was a customer's first payment above 0, or a subscription's first of 0. */
function payerColumns(plan: FactPlan, bind: Bind): string {
  const customer = customerSql(plan);
  const ids = plan.needs.has('person') ? `, ${personSql(plan)} AS person_id` : '';
  const isFirstPayment = `(kind = 'payment' AND transaction_id IN (
    SELECT argMin(transaction_id, (occurred_at, transaction_id))
    FROM payments FINAL ${joinPayers(plan, bind)}
    WHERE ${ofSite(plan, bind)} AND kind = 'payment' AND amount_minor > 0
    GROUP BY ${customer}))`;
  return [
    ids,
    plan.needs.has('customer') ? `, ${customer} AS customer` : '',
    plan.needs.has('first_payment') ? `, ${isFirstPayment} AS is_first_payment` : '',
    plan.needs.has('trial') ? `, ${isTrial(plan, bind)} AS is_trial` : '',
  ].join('');
}

/**
 * SQL for payments, each with the values from the payer's last visit before it: columns `w0, w1, …`; `(none)` if no
 * visit has one.
 *
 * - Shape: if no visit began before the payment, the first within ten minutes after it, as for credit.
 * - Why all history, whatever the lookback window and model: this says where the payer was, not which visit gets the
 *   credit.
 */
function withLastVisitSql({ rows, persons }: Facts, plan: FactPlan, bind: Bind): string {
  return plan.values.lastVisit.reduce((facts, { sql }, index) => {
    const paths = withPathsSql({ rows: facts, persons }, { ...plan, lookbackDays: null }, bind, {
      columns: { value: `toString(${sql})` },
      visits: `${sql} != ''`,
    });
    return `
    SELECT * EXCEPT (within, behind, touch_path),
      if(empty(touch_path), '${NONE}', touch_path[-1].2) AS w${index}
    FROM (${paths})`;
  }, rows);
}
