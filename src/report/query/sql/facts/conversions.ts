import type { Bind } from '../../../dimension.ts';
import type { FactPlan } from '../../plan/plan.ts';
import { creditedSql } from '../attribution/credit.ts';
import { toCondition } from '../condition.ts';
import { withFirstVisitSql } from '../first-visit.ts';
import { hasDoneSql, isPerson, joinPersons, personNumber } from '../persons.ts';
import {
  all,
  byPeople,
  columnOf,
  type FactSql,
  onlyOfKeys,
  valueColumns,
  within,
} from '../rows.ts';

/** Goals reached in the period, with a row for each visit that is credited with a share. */
export function conversionsSql(plan: FactPlan, bind: Bind): FactSql {
  const isCredited = plan.credit.to !== 'none';
  const person = `, ${personNumber(plan)} AS person_number`;
  const where = all(
    within('occurred_at', plan, bind),
    byPeople(plan),
    "type = 'goal'",
    isCredited ? isPerson(personNumber(plan), plan, bind) : undefined,
    ...onlyOfKeys(plan.keys),
  );
  const made = `
    SELECT visitor_id, visitor${isCredited ? person : ''},
      toUnixTimestamp64Milli(occurred_at) AS at, at AS credit_at${valueColumns('e', plan.values.event, plan, bind)}
    FROM events ${isCredited ? joinPersons(plan, bind) : ''}
    WHERE ${where}`;
  const goals = withFirstVisitSql(made, plan, bind);
  return {
    from: `(${creditedSql({ rows: goals, persons: made, amounts: [] }, plan, bind)}) AS fact`,
    where: toCondition(plan.filter, {
      toValue: (dimension) => columnOf(plan.values, dimension),
      hasDone: (filter) => hasDoneSql(plan, filter, bind),
      bind,
    }),
  };
}
