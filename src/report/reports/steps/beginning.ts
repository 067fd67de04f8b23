import { assert } from '#domain/assert.ts';
import { DEEDS } from '#warehouse/tables/events.ts';
import type { Bind } from '../../dimension.ts';
import { UNATTRIBUTED } from '../../dimension.ts';
import {
  type Filter,
  filteredDimensions,
  namesBehaviour,
  namesEvents,
} from '../../query/filter.ts';
import type { Query } from '../../query/query.ts';
import { toCondition } from '../../query/sql/condition.ts';
import { visitorColumn, withFirstVisitSql } from '../../query/sql/first-visit.ts';
import { hasDoneSql, personHasDoneSql } from '../../query/sql/has-done.ts';
import {
  all,
  type FactSql,
  instant,
  visitColumn,
  visitColumns,
  visitDimensions,
} from '../../query/sql/rows.ts';
import { visitRowsSql } from '../../query/sql/visit-rows.ts';
import { visitsAround } from './open-visit.ts';
import type { Who } from './step.ts';

/** What a query asks of the beginning of something: the visit that it was in, and whose it was. */
export function askedOfBeginning({ dimensions, filter }: Query): {
  readonly tellsVisit: boolean;
  readonly tellsText: boolean;
} {
  const named = [...dimensions, ...filteredDimensions(filter)];
  return {
    tellsVisit: named.some(({ of }) => of === 'visit') || namesEvents(filter),
    tellsText: named.some(({ of }) => of === 'visitor') || namesBehaviour(filter),
  };
}

/**
 * Rows that began in a `visit` and are somebody's (`who_text`), each as {@link askedOfBeginning} says, with
 * the values of the query's dimensions there, filtered by them.
 *
 * - Shape: a test of events passes when the visit has such an event. `beginners` is cheaper SQL of all the
 *   `who_text` there may be.
 */
export function beginningSql(
  rows: string,
  beginners: string,
  { by, query, bind }: { readonly by: Who; readonly query: Query; readonly bind: Bind },
): FactSql {
  const ofVisits = visitDimensions(query);
  const { tellsText } = askedOfBeginning(query);
  const id = by === 'person' ? 'person_id' : 'visitor_id';
  const whose = `SELECT who_text AS ${id} FROM (${beginners})`;
  const own = tellsText
    ? withFirstVisitSql(
        `SELECT * EXCEPT (who_text), who_text AS ${id} FROM (${rows})`,
        query,
        bind,
        {
          of: by,
          visitors: whose,
          persons: whose,
        },
      )
    : rows;
  const toValue: FactSql['toValue'] = (dimension) => {
    assert(dimension.of === 'visit' || dimension.of === 'visitor', 'it is of visits and visitors');
    if (dimension.of === 'visitor') return visitorColumn(query, dimension);
    return `if(known = 1, ${visitColumn(ofVisits, dimension)}, '${UNATTRIBUTED}')`;
  };
  const where = toCondition(query.filter, {
    toValue(dimension) {
      assert(
        dimension.of !== 'event' && dimension.of !== 'payment',
        'such tests are refused or joined',
      );
      return toValue(dimension);
    },
    hasEvent: (filter) => `visit IN (${visitsWithSql(filter, query, bind)})`,
    hasDone: (filter) =>
      by === 'visitor' ? hasDoneSql(query, filter, bind) : personHasDoneSql(query, filter, bind),
    bind,
  });
  if (ofVisits.length === 0) return { from: `(${own}) AS fact`, where, toValue };
  // Visits are many and beginnings few: those are looked up among these.
  const visits = visitRowsSql(query, bind, {
    columns: `visit_id AS own_visit, 1 AS known${visitColumns(ofVisits, query, bind)}`,
    where: '1',
    period: visitsAround(query),
  });
  return {
    from: `(${visits}) AS begun RIGHT JOIN (${own}) AS fact ON own_visit = visit`,
    where,
    toValue,
  };
}

/** SQL of the visits that have an event for which the filter holds. */
function visitsWithSql(filter: Filter, query: Query, bind: Bind): string {
  const { startsAt, endsAt } = visitsAround(query);
  const where = all(
    `site_id = ${bind(query.site.id, 'String')}`,
    `occurred_at >= ${instant(startsAt, bind)} AND occurred_at < ${instant(endsAt, bind)}`,
    DEEDS,
    toCondition(filter, {
      toValue(dimension) {
        assert(dimension.of === 'event', 'only tests of events choose events');
        return dimension.sql(bind);
      },
      bind,
    }),
  );
  return `SELECT visit_id FROM events WHERE ${where}`;
}
