import { DEEDS } from '#warehouse/tables/events.ts';
import type { Bind } from '../../../dimension.ts';
import { UNATTRIBUTED } from '../../../dimension.ts';
import { filteredDimensions } from '../../filter.ts';
import type { Query } from '../../query.ts';
import { toCondition } from '../condition.ts';
import { visitorColumn, withFirstVisitSql } from '../first-visit.ts';
import { hasDoneSql } from '../has-done.ts';
import {
  ATTENTION,
  all,
  byPeople,
  type FactSql,
  NO_VISIT,
  notOfPayments,
  visitColumn,
  visitColumns,
  visitDimensions,
  within,
} from '../rows.ts';

/** What visitors did in the period, one row each; visit dimensions are those of its own visit. */
export function eventsSql(query: Query, bind: Bind): FactSql {
  return rowsOfEvents(query, bind, { which: DEEDS, more: 'type, extends_visit' });
}

/** The tracker's reports of visible time and scrolling in the period, as events are. */
export function attentionSql(query: Query, bind: Bind): FactSql {
  return rowsOfEvents(query, bind, {
    which: ATTENTION,
    more: 'path, engagement_ms, scroll_depth',
  });
}

function rowsOfEvents(
  query: Query,
  bind: Bind,
  { which, more }: { readonly which: string; readonly more: string },
): FactSql {
  const ofVisits = visitDimensions(query);
  const { columns, only, columnOf } = eventColumns(query, bind);
  const where = all(within('occurred_at', query, bind), byPeople(query), which, ...only);
  const made = `
    SELECT ${more}, visitor_id, visitor, visit_id, toUnixTimestamp64Milli(occurred_at) AS at${columns}
    FROM events WHERE ${where}`;
  const events = withFirstVisitSql(made, query, bind);
  const toValue: FactSql['toValue'] = (dimension) => {
    switch (dimension.of) {
      case 'visit':
        return `if(known = 1, ${visitColumn(ofVisits, dimension)}, '${UNATTRIBUTED}')`;
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
  const condition = toCondition(query.filter, {
    toValue,
    hasDone: (filter) => hasDoneSql(query, filter, bind),
    bind,
  });
  if (ofVisits.length === 0) return { from: `(${events}) AS fact`, where: condition, toValue };

  // A visit may have begun long before the period: the events tell how far to look.
  const starts = (aggregate: string) =>
    `(SELECT ${aggregate}(visit_started_at) FROM events WHERE ${where} AND visit_id != ${NO_VISIT})`;
  const visits = `
    SELECT visit_id AS own_visit, 1 AS known${visitColumns(ofVisits, query, bind)}
    FROM visits FINAL
    WHERE site_id = ${bind(query.site.id, 'String')}
      AND visit_started_at >= ${starts('minOrNull')} AND visit_started_at <= ${starts('maxOrNull')}`;
  return {
    from: `(${events}) AS fact LEFT JOIN (${visits}) AS visit ON visit_id = own_visit`,
    where: condition,
    toValue,
  };
}

/** Columns `e0, e1, …` for the event dimensions of a query, and what its breakdowns leave out. */
export function eventColumns(query: Query, bind: Bind) {
  const byName = new Map(
    [...query.dimensions, ...filteredDimensions(query.filter)]
      .filter((dimension) => dimension.of === 'event')
      .map((dimension) => [dimension.name, dimension]),
  );
  const names = [...byName.keys()];
  const columns = [...byName.values()].map(({ sql }, index) => `, ${sql(bind)} AS e${index}`);
  return {
    columns: columns.join(''),
    only: query.dimensions.map((dimension) =>
      dimension.of === 'event' ? dimension.only : undefined,
    ),
    columnOf: (name: string) => `e${names.indexOf(name)}`,
  };
}
