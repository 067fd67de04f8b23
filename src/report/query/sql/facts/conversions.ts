import { creditedSql } from '../../../attribution/credit.ts';
import { uncreditedSql } from '../../../attribution/credited-facts.ts';
import type { Bind } from '../../../dimension.ts';
import type { Query } from '../../query.ts';
import { toCondition } from '../condition.ts';
import { visitorColumn, withFirstVisitSql } from '../first-visit.ts';
import { hasDoneSql } from '../has-done.ts';
import { toPersonNumber } from '../person-numbers.ts';
import { joinPersons, ofPerson, personSql } from '../persons.ts';
import {
  all,
  byPeople,
  type FactSql,
  notOfPayments,
  visitColumn,
  visitDimensions,
  within,
} from '../rows.ts';
import { eventColumns } from './events.ts';

/** Goals reached in the period, a row for each visit that is credited with a part of one. */
export function conversionsSql(query: Query, bind: Bind): FactSql {
  const ofVisits = visitDimensions(query);
  const isCredited = ofVisits.length > 0;
  const { columns, only, columnOf } = eventColumns(query, bind);
  const made = `
    SELECT visitor_id, visitor${isCredited ? `, ${personSql(query)} AS person_id, ${toPersonNumber('person_id')} AS person_number` : ''},
      toUnixTimestamp64Milli(occurred_at) AS at, at AS credit_at${columns}
    FROM events ${isCredited ? joinPersons(query, bind) : ''}
    WHERE ${all(within('occurred_at', query, bind), byPeople(query), "type = 'goal'", isCredited ? ofPerson(query, bind) : undefined, ...only)}`;
  const goals = withFirstVisitSql(made, query, bind, { of: 'visitor' });
  const toValue: FactSql['toValue'] = (dimension) => {
    switch (dimension.of) {
      case 'visit':
        return visitColumn(ofVisits, dimension);
      case 'event':
        return columnOf(dimension.name);
      case 'visitor':
        return visitorColumn(query, dimension);
      case 'payment':
        return notOfPayments();
      case 'time':
        return 'at';
    }
  };
  const rows = isCredited
    ? creditedSql({ of: 'conversions', rows: goals, persons: made }, ofVisits, query, bind)
    : uncreditedSql(goals);
  return {
    from: `(${rows}) AS fact`,
    where: toCondition(query.filter, {
      toValue,
      hasDone: (filter) => hasDoneSql(query, filter, bind),
      bind,
    }),
    toValue,
  };
}
