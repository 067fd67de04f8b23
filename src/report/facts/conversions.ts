import type { Bind } from '../dimension.ts';
import type { Question } from '../question.ts';
import { toCondition } from '../sql/condition.ts';
import { creditedSql } from '../sql/credit.ts';
import { uncreditedSql } from '../sql/credited-facts.ts';
import { visitorColumn, withFirstVisitSql } from '../sql/first-visit.ts';
import { hasDoneSql } from '../sql/has-done.ts';
import { toPersonNumber } from '../sql/person-numbers.ts';
import { joinPersons, ofPerson, personSql } from '../sql/persons.ts';
import {
  all,
  byPeople,
  type FactSql,
  notOfPayments,
  visitColumn,
  visitDimensions,
  within,
} from '../sql/rows.ts';
import { eventColumns } from './events.ts';

/** Goals reached in the period, a row for each visit that is credited with a part of one. */
export function conversionsSql(question: Question, bind: Bind): FactSql {
  const ofVisits = visitDimensions(question);
  const isCredited = ofVisits.length > 0;
  const { columns, only, columnOf } = eventColumns(question, bind);
  const made = `
    SELECT visitor_id, visitor${isCredited ? `, ${personSql(question)} AS person_id, ${toPersonNumber('person_id')} AS person_number` : ''},
      toUnixTimestamp64Milli(occurred_at) AS at, at AS credit_at${columns}
    FROM events ${isCredited ? joinPersons(question, bind) : ''}
    WHERE ${all(within('occurred_at', question, bind), byPeople(question), "type = 'goal'", isCredited ? ofPerson(question, bind) : undefined, ...only)}`;
  const goals = withFirstVisitSql(made, question, bind, { of: 'visitor' });
  const toValue: FactSql['toValue'] = (dimension) => {
    switch (dimension.of) {
      case 'visit':
        return visitColumn(ofVisits, dimension);
      case 'event':
        return columnOf(dimension.name);
      case 'visitor':
        return visitorColumn(question, dimension);
      case 'payment':
        return notOfPayments();
      case 'time':
        return 'at';
    }
  };
  const rows = isCredited
    ? creditedSql({ of: 'conversions', rows: goals, persons: made }, ofVisits, question, bind)
    : uncreditedSql(goals);
  return {
    from: `(${rows}) AS fact`,
    where: toCondition(question.filter, {
      toValue,
      hasDone: (filter) => hasDoneSql(question, filter, bind),
      bind,
    }),
    toValue,
  };
}
