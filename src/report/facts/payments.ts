import { assert } from '#domain/assert.ts';
import type { Bind } from '../dimension.ts';
import { type Filter, filteredDimensions, namesEvents } from '../filter.ts';
import type { Question } from '../question.ts';
import { toCondition } from '../sql/condition.ts';
import { convertedSql } from '../sql/converted.ts';
import { creditedSql } from '../sql/credit.ts';
import { CUSTOMER, isFirstPaymentSql } from '../sql/customer.ts';
import { toEngineZone } from '../sql/engine-zone.ts';
import { visitorColumn, withFirstVisitSql } from '../sql/first-visit.ts';
import { hasDoneSql } from '../sql/has-done.ts';
import { withPathSql } from '../sql/path.ts';
import { joinPayers, PERSON } from '../sql/persons.ts';
import {
  all,
  DEEDS,
  type FactSql,
  NO_VISIT,
  usesColumn,
  visitColumn,
  visitDimensions,
  within,
} from '../sql/rows.ts';

/**
 * Payments and refunds made in the period, one row each; visit dimensions are those of the visit
 * credited with the payment, and a filter by events passes when that visit has such an event.
 *
 * - Units: `amount_minor` in the site's currency. Money without a rate is 0 there; `other_minor`
 *   holds it as it was paid.
 */
export function paymentsSql(question: Question, bind: Bind): FactSql {
  const ofVisits = visitDimensions(question);
  const { columns, columnOf } = paymentColumns(question, bind);
  const from = `FROM payments FINAL ${joinPayers(question, bind)}
    WHERE ${within('occurred_at', question, bind)}`;
  const made = `
    SELECT visitor_id, ${PERSON} AS person_id, kind, transaction_id, currency, paid_at, amount_minor AS raw_minor, renewal,
      toUnixTimestamp64Milli(occurred_at) AS at, ${creditAt(question, bind)} AS credit_at${columns}
    ${from}`;
  const persons = `SELECT ${PERSON} AS person_id ${from}`;
  const converted = convertedSql(made, question, bind);
  const known = withFirstVisitSql(converted, question, bind, { of: 'person', persons });
  const payments = withPathSql(known, question, bind, persons);
  const toValue: FactSql['toValue'] = (dimension) => {
    assert(dimension.of !== 'event', 'payments are not broken down by events');
    switch (dimension.of) {
      case 'visit':
        return visitColumn(ofVisits, dimension);
      case 'payment':
        return columnOf(dimension.name);
      case 'visitor':
        return visitorColumn(question, dimension);
      case 'time':
        return 'at';
    }
  };
  const hasEvent = (filter: Filter) =>
    `credited_visit IN (SELECT visit_id FROM events WHERE ${eventsWhere(question, filter, bind)})`;
  const hasDone = (filter: Filter) => hasDoneSql(question, filter, bind);
  const isCredited = ofVisits.length > 0 || namesEvents(question.filter);
  const rows = isCredited ? creditedSql(payments, ofVisits, question, bind, persons) : payments;
  return {
    from: `(${rows}) AS fact`,
    where: toCondition(question.filter, { toValue, hasEvent, hasDone, bind }),
    toValue,
  };
}

/** Columns that this question asks for: `y0, y1, …` for its dimensions of payments, and who paid. */
function paymentColumns(question: Question, bind: Bind) {
  const byName = new Map(
    [...question.dimensions, ...filteredDimensions(question.filter)]
      .filter((dimension) => dimension.of === 'payment')
      .map((dimension) => [dimension.name, dimension.sql]),
  );
  const names = [...byName.keys()];
  const columns = [...byName.values()].map((sql, index) => `, ${sql} AS y${index}`);
  if (usesColumn(question, 'customer')) columns.push(`, ${CUSTOMER} AS customer`);
  if (usesColumn(question, 'is_first_payment')) {
    columns.push(`, ${isFirstPaymentSql(question, bind)} AS is_first_payment`);
  }
  return { columns: columns.join(''), columnOf: (name: string) => `y${names.indexOf(name)}` };
}

/**
 * Until when a touch counts: the payment's instant, or the end of its day when all that is known
 * of it is a date, which is kept as midnight in the site's zone.
 */
function creditAt(question: Question, bind: Bind): string {
  const day = `toStartOfDay(paid_at, ${bind(toEngineZone(question.site.timezone), 'String')})`;
  return `if(toInt64(toUnixTimestamp(${day})) * 1000 = toUnixTimestamp64Milli(paid_at),
        toInt64(toUnixTimestamp(addDays(${day}, 1))) * 1000 - 1, toUnixTimestamp64Milli(paid_at))`;
}

/** Events of any time: the credited visit may be long ago. */
function eventsWhere(question: Question, filter: Filter, bind: Bind): string {
  return all(
    `site_id = ${bind(question.site.id, 'String')}`,
    DEEDS,
    `visit_id != ${NO_VISIT}`,
    toCondition(filter, {
      toValue(dimension) {
        assert(dimension.of === 'event', 'only tests of events choose events');
        return dimension.sql(bind);
      },
      bind,
    }),
  );
}
