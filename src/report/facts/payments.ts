import { assert } from '#domain/assert.ts';
import { DEEDS } from '#warehouse/events-table.ts';
import type { Bind, EventDimension } from '../dimension.ts';
import { type Filter, filteredDimensions, namesEvents } from '../filter.ts';
import type { Question } from '../question.ts';
import { toCondition } from '../sql/condition.ts';
import { convertedSql } from '../sql/converted.ts';
import { creditedSql } from '../sql/credit.ts';
import { creditAtSql } from '../sql/credit-at.ts';
import { uncreditedSql } from '../sql/credited-facts.ts';
import { customerSql, isFirstPaymentSql } from '../sql/customer.ts';
import { visitorColumn, withFirstVisitSql } from '../sql/first-visit.ts';
import { personHasDoneSql } from '../sql/has-done.ts';
import { lastVisitColumn, withLastVisitSql } from '../sql/last-visit.ts';
import { withPathSql } from '../sql/path.ts';
import { payerNumber } from '../sql/person-numbers.ts';
import { joinPayers, ofPerson, personSql } from '../sql/persons.ts';
import {
  all,
  type FactSql,
  NO_VISIT,
  usesColumn,
  visitColumn,
  visitDimensions,
  within,
} from '../sql/rows.ts';
import { seenColumn, seenSql, splitByEvents } from '../sql/seen-events.ts';

/**
 * Payments and refunds made in the period, a row for each visit that is credited with a part; visit
 * dimensions are those of that visit, and a filter by events passes when it has such an event. By
 * dimensions of events there is a row for each combination of values that an event of the visit has.
 *
 * - Units: `amount_minor` in the site's currency. Money without a rate is 0 there; `other_minor`
 *   holds it as it was paid.
 */
export function paymentsSql(question: Question, bind: Bind): FactSql {
  const ofVisits = visitDimensions(question);
  const { columns, columnOf } = paymentColumns(question, bind);
  const from = `FROM payments FINAL ${joinPayers(question, bind)}
    WHERE ${all(within('occurred_at', question, bind), ofPerson(question, bind))}`;
  const made = `
    SELECT visitor_id, ${personSql(question)} AS person_id, ${payerNumber(question)} AS person_number, kind, transaction_id, currency, paid_at, amount_minor AS raw_minor, renewal,
      toUnixTimestamp64Milli(occurred_at) AS at, ${creditAtSql(question, bind)} AS credit_at${columns}
    ${from}`;
  const persons = `SELECT ${personSql(question)} AS person_id ${from}`;
  const ofEvents = question.dimensions.filter((dimension) => dimension.of === 'event');
  const isCredited = ofVisits.length > 0 || ofEvents.length > 0 || namesEvents(question.filter);
  const converted = convertedSql(made, question, {
    bind,
    tellsBefore: isCredited && question.attribution.model !== 'first_touch',
  });
  const ofPersons = { of: 'person', persons } as const;
  const known = withFirstVisitSql(converted, question, bind, ofPersons);
  const placed = withLastVisitSql(known, question, bind, persons);
  const payments = withPathSql(placed, question, bind, persons);
  const toValue: FactSql['toValue'] = (dimension) => {
    switch (dimension.of) {
      case 'visit':
        return visitColumn(ofVisits, dimension);
      case 'event':
        return seenColumn(ofEvents, dimension);
      case 'payment':
        return dimension.toldBy === undefined
          ? columnOf(dimension.name)
          : lastVisitColumn(question, dimension);
      case 'visitor':
        return visitorColumn(question, dimension);
      case 'time':
        return 'at';
    }
  };
  const hasEvent = (filter: Filter) =>
    `credited_visit IN (SELECT visit_id FROM events WHERE ${eventsWhere(question, [], filter, bind)})`;
  const hasDone = (filter: Filter) => personHasDoneSql(question, filter, bind);
  const rows = isCredited
    ? creditedSql({ of: 'payments', rows: payments, persons }, ofVisits, question, bind)
    : uncreditedSql(payments);
  const view = { toValue, hasEvent, hasDone, bind };
  if (ofEvents.length === 0) {
    return { from: `(${rows}) AS fact`, where: toCondition(question.filter, view), toValue };
  }
  const { onEvents, onVisits } = splitByEvents(question.filter);
  const seen = seenSql(ofEvents, bind, [
    `visit_id IN (SELECT credited_visit FROM (${rows}))`,
    eventsWhere(question, ofEvents, onEvents, bind),
  ]);
  return {
    from: `(${rows}) AS fact INNER JOIN (${seen}) AS seen ON credited_visit = seen_visit`,
    where: toCondition(onVisits, view),
    toValue,
  };
}

/** Columns that this question asks for: `y0, y1, …` for its dimensions of payments, and who paid. */
function paymentColumns(question: Question, bind: Bind) {
  const byName = new Map(
    [...question.dimensions, ...filteredDimensions(question.filter)]
      .filter((dimension) => dimension.of === 'payment')
      .filter(({ toldBy }) => toldBy === undefined)
      .map((dimension) => [dimension.name, dimension.sql]),
  );
  const names = [...byName.keys()];
  const columns = [...byName.values()].map((sql, index) => `, ${sql} AS y${index}`);
  if (usesColumn(question, 'customer')) columns.push(`, ${customerSql(question)} AS customer`);
  if (usesColumn(question, 'is_first_payment')) {
    columns.push(`, ${isFirstPaymentSql(question, bind)} AS is_first_payment`);
  }
  return { columns: columns.join(''), columnOf: (name: string) => `y${names.indexOf(name)}` };
}

/** Events of any time: the credited visit may be long ago. */
function eventsWhere(
  question: Question,
  dimensions: readonly EventDimension[],
  filter: Filter,
  bind: Bind,
): string {
  return all(
    `site_id = ${bind(question.site.id, 'String')}`,
    DEEDS,
    `visit_id != ${NO_VISIT}`,
    ...dimensions.map((dimension) => dimension.only),
    toCondition(filter, {
      toValue(dimension) {
        assert(dimension.of === 'event', 'only tests of events choose events');
        return dimension.sql(bind);
      },
      bind,
    }),
  );
}
