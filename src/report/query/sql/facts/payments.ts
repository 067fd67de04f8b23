import { creditedSql } from '../../../attribution/credit.ts';
import { creditAtSql } from '../../../attribution/credit-at.ts';
import { withWaySql } from '../../../attribution/paths.ts';
import { placeOf } from '../../../attribution/weights.ts';
import type { Bind, EventDimension } from '../../../dimension.ts';
import type { Filter } from '../../filter.ts';
import type { FactPlan } from '../../plan/plan.ts';
import { toCondition } from '../condition.ts';
import { convertedSql } from '../converted.ts';
import { customerSql, isFirstPaymentSql } from '../customer.ts';
import { withFirstVisitSql } from '../first-visit.ts';
import { personHasDoneSql } from '../has-done.ts';
import { withLastVisitSql } from '../last-visit.ts';
import { isPerson, isVisitorOfPersons, joinPayers, payerNumber, personSql } from '../persons.ts';
import { all, columnOf, eventCondition, type FactSql, NO_VISIT, ofSite, within } from '../rows.ts';
import { seenSql, splitByEvents } from '../seen-events.ts';

/**
 * Payments and refunds made in the period, a row for each visit that is credited with a part; visit
 * dimensions are those of that visit, and a filter by events passes when it has such an event. By
 * dimensions of events there is a row for each combination of values that an event of the visit has.
 *
 * - Units: `amount_minor` in the site's currency. Money without a rate is 0 there; `other_minor`
 *   holds it as it was paid.
 */
export function paymentsSql(plan: FactPlan, bind: Bind): FactSql {
  const { values, filter } = plan;
  const from = `FROM payments FINAL ${joinPayers(plan, bind)}
    WHERE ${all(within('occurred_at', plan, bind), isPerson(payerNumber(plan), plan, bind))}`;
  const made = `
    SELECT visitor_id, ${personSql(plan)} AS person_id, ${payerNumber(plan)} AS person_number, kind, transaction_id, currency, paid_at, amount_minor AS raw_minor, renewal,
      toUnixTimestamp64Milli(occurred_at) AS at, ${creditAtSql(plan, bind)} AS credit_at${paymentColumns(plan, bind)}
    ${from}`;
  const persons = `SELECT ${payerNumber(plan)} AS person_number ${from}`;
  const converted = convertedSql(made, plan, { bind, tellsBefore: isShared(plan) });
  const known = withFirstVisitSql(converted, plan, bind, { of: 'person', among: persons });
  const placed = withLastVisitSql({ rows: known, persons }, plan, bind);
  const payments = plan.needs.has('path')
    ? withWaySql({ rows: placed, persons }, plan, bind)
    : placed;
  const amounts = plan.currencies.length > 0 ? ['amount', 'other'] : ['amount'];
  const rows = creditedSql({ rows: payments, persons, amounts }, plan, bind);
  const toValue: FactSql['toValue'] = (dimension) =>
    dimension.of === 'time' ? 'at' : columnOf(values, dimension);
  const hasEvent = (tested: Filter) =>
    `credited_visit IN (SELECT visit_id FROM events WHERE ${eventsWhere(plan, [], tested, bind)})`;
  const hasDone = (tested: Filter) => personHasDoneSql(plan, tested, bind);
  const view = { toValue, hasEvent, hasDone, bind };
  if (values.event.length === 0) {
    return { from: `(${rows}) AS fact`, where: toCondition(filter, view), toValue };
  }
  const { onEvents, onVisits } = splitByEvents(filter);
  const seen = seenSql(
    values.event,
    bind,
    all(isVisitorOfPersons(persons, plan, bind), eventsWhere(plan, values.event, onEvents, bind)),
  );
  return {
    from: `(${rows}) AS fact INNER JOIN (${seen}) AS seen ON credited_visit = seen_visit`,
    where: toCondition(onVisits, view),
    toValue,
  };
}

/** Whether amounts are split, so that refunds in parts must know what was split before. */
function isShared({ credit }: FactPlan): boolean {
  return credit.to === 'path' && placeOf(credit.models) === undefined;
}

/** Columns `y0, y1, …` for dimensions of payments, and what the metrics need of who paid. */
function paymentColumns(plan: FactPlan, bind: Bind): string {
  const { values, needs } = plan;
  const columns = values.payment.map(({ sql }, index) => `, ${sql} AS y${index}`);
  if (needs.has('customer')) columns.push(`, ${customerSql(plan)} AS customer`);
  if (needs.has('first_payment')) {
    columns.push(`, ${isFirstPaymentSql(plan, bind)} AS is_first_payment`);
  }
  return columns.join('');
}

/** Events of any time: the credited visit may be long ago. */
function eventsWhere(
  plan: FactPlan,
  dimensions: readonly EventDimension[],
  filter: Filter,
  bind: Bind,
): string {
  return all(
    ofSite(plan, bind),
    `visit_id != ${NO_VISIT}`,
    eventCondition(dimensions, filter, bind),
  );
}
