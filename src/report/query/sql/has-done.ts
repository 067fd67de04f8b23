import { assert } from '#domain/assert.ts';
import { DEEDS } from '#warehouse/tables/events.ts';
import type { Bind } from '../../dimension.ts';
import type { Filter } from '../filter.ts';
import type { Query } from '../query.ts';
import { toCondition } from './condition.ts';
import { joinPersons, personSql } from './persons.ts';
import { all, byPeople, within } from './rows.ts';

/** SQL that holds for rows whose visitor did something in the period for which the filter holds. */
export function hasDoneSql(query: Query, filter: Filter, bind: Bind): string {
  return `visitor_id IN (${whoDidSql(query, filter, bind)})`;
}

/**
 * SQL that holds for rows of a person (`person_id`) any of whose visitors did something in the period
 * for which the filter holds.
 *
 * Why persons: a payment is a person's, and many name no visitor.
 */
export function personHasDoneSql(query: Query, filter: Filter, bind: Bind): string {
  const whoDid = whoDidSql(query, filter, bind);
  return `person_id IN (SELECT ${personSql(query)} FROM (${whoDid}) AS did ${joinPersons(query, bind)})`;
}

/** SQL of the visitors (`visitor_id`) who did something in the period for which the filter holds. */
function whoDidSql(query: Query, filter: Filter, bind: Bind): string {
  const condition = toCondition(filter, {
    toValue(dimension) {
      assert(dimension.of === 'event', 'what visitors have done is told by events');
      return dimension.sql(bind);
    },
    bind,
  });
  const where = all(
    within('occurred_at', query, bind),
    byPeople(query),
    DEEDS,
    "visitor_id != ''",
    condition,
  );
  return `SELECT visitor_id FROM events WHERE ${where}`;
}
