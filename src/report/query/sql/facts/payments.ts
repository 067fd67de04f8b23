import { assert } from '#domain/assert.ts';
import { DEEDS } from '#warehouse/tables/events.ts';
import { creditedSql } from '../../../attribution/credit.ts';
import { creditAtSql } from '../../../attribution/credit-at.ts';
import { uncreditedSql } from '../../../attribution/credited-facts.ts';
import { withPathSql } from '../../../attribution/path.ts';
import type { Bind, EventDimension } from '../../../dimension.ts';
import { type Filter, filteredDimensions, namesEvents } from '../../filter.ts';
import type { Query } from '../../query.ts';
import { toCondition } from '../condition.ts';
import { convertedSql } from '../converted.ts';
import { customerSql, isFirstPaymentSql } from '../customer.ts';
import { visitorColumn, withFirstVisitSql } from '../first-visit.ts';
import { personHasDoneSql } from '../has-done.ts';
import { lastVisitColumn, withLastVisitSql } from '../last-visit.ts';
import { payerNumber } from '../person-numbers.ts';
import { joinPayers, ofPerson, personSql } from '../persons.ts';
import {
  all,
  type FactSql,
  NO_VISIT,
  usesColumn,
  visitColumn,
  visitDimensions,
  within,
} from '../rows.ts';
import { seenColumn, seenSql, splitByEvents } from '../seen-events.ts';

/**
 * Payments and refunds made in the period, a row for each visit that is credited with a part; visit
 * dimensions are those of that visit, and a filter by events passes when it has such an event. By
 * dimensions of events there is a row for each combination of values that an event of the visit has.
 *
 * - Units: `amount_minor` in the site's currency. Money without a rate is 0 there; `other_minor`
 *   holds it as it was paid.
 */
export function paymentsSql(query: Query, bind: Bind): FactSql {
  const ofVisits = visitDimensions(query);
  const { columns, columnOf } = paymentColumns(query, bind);
  const from = `FROM payments FINAL ${joinPayers(query, bind)}
    WHERE ${all(within('occurred_at', query, bind), ofPerson(query, bind))}`;
  const made = `
    SELECT visitor_id, ${personSql(query)} AS person_id, ${payerNumber(query)} AS person_number, kind, transaction_id, currency, paid_at, amount_minor AS raw_minor, renewal,
      toUnixTimestamp64Milli(occurred_at) AS at, ${creditAtSql(query, bind)} AS credit_at${columns}
    ${from}`;
  const persons = `SELECT ${personSql(query)} AS person_id ${from}`;
  const ofEvents = query.dimensions.filter((dimension) => dimension.of === 'event');
  const isCredited = ofVisits.length > 0 || ofEvents.length > 0 || namesEvents(query.filter);
  const converted = convertedSql(made, query, {
    bind,
    tellsBefore: isCredited && query.attribution.model !== 'first_touch',
  });
  const ofPersons = { of: 'person', persons } as const;
  const known = withFirstVisitSql(converted, query, bind, ofPersons);
  const placed = withLastVisitSql(known, query, bind, persons);
  const payments = withPathSql(placed, query, bind, persons);
  const toValue: FactSql['toValue'] = (dimension) => {
    switch (dimension.of) {
      case 'visit':
        return visitColumn(ofVisits, dimension);
      case 'event':
        return seenColumn(ofEvents, dimension);
      case 'payment':
        return dimension.toldBy === undefined
          ? columnOf(dimension.name)
          : lastVisitColumn(query, dimension);
      case 'visitor':
        return visitorColumn(query, dimension);
      case 'time':
        return 'at';
    }
  };
  const hasEvent = (filter: Filter) =>
    `credited_visit IN (SELECT visit_id FROM events WHERE ${eventsWhere(query, [], filter, bind)})`;
  const hasDone = (filter: Filter) => personHasDoneSql(query, filter, bind);
  const rows = isCredited
    ? creditedSql({ of: 'payments', rows: payments, persons }, ofVisits, query, bind)
    : uncreditedSql(payments);
  const view = { toValue, hasEvent, hasDone, bind };
  if (ofEvents.length === 0) {
    return { from: `(${rows}) AS fact`, where: toCondition(query.filter, view), toValue };
  }
  const { onEvents, onVisits } = splitByEvents(query.filter);
  const seen = seenSql(ofEvents, bind, [
    `visit_id IN (SELECT credited_visit FROM (${rows}))`,
    eventsWhere(query, ofEvents, onEvents, bind),
  ]);
  return {
    from: `(${rows}) AS fact INNER JOIN (${seen}) AS seen ON credited_visit = seen_visit`,
    where: toCondition(onVisits, view),
    toValue,
  };
}

/** Columns that this query asks for: `y0, y1, …` for its dimensions of payments, and who paid. */
function paymentColumns(query: Query, bind: Bind) {
  const byName = new Map(
    [...query.dimensions, ...filteredDimensions(query.filter)]
      .filter((dimension) => dimension.of === 'payment')
      .filter(({ toldBy }) => toldBy === undefined)
      .map((dimension) => [dimension.name, dimension.sql]),
  );
  const names = [...byName.keys()];
  const columns = [...byName.values()].map((sql, index) => `, ${sql} AS y${index}`);
  if (usesColumn(query, 'customer')) columns.push(`, ${customerSql(query)} AS customer`);
  if (usesColumn(query, 'is_first_payment')) {
    columns.push(`, ${isFirstPaymentSql(query, bind)} AS is_first_payment`);
  }
  return { columns: columns.join(''), columnOf: (name: string) => `y${names.indexOf(name)}` };
}

/** Events of any time: the credited visit may be long ago. */
function eventsWhere(
  query: Query,
  dimensions: readonly EventDimension[],
  filter: Filter,
  bind: Bind,
): string {
  return all(
    `site_id = ${bind(query.site.id, 'String')}`,
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
