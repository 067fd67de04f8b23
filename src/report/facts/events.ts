import { DEEDS } from '#warehouse/events-table.ts';
import type { Bind } from '../dimension.ts';
import { UNATTRIBUTED } from '../dimension.ts';
import { filteredDimensions } from '../filter.ts';
import type { Question } from '../question.ts';
import { toCondition } from '../sql/condition.ts';
import { visitorColumn, withFirstVisitSql } from '../sql/first-visit.ts';
import { hasDoneSql } from '../sql/has-done.ts';
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
} from '../sql/rows.ts';

/** What visitors did in the period, one row each; visit dimensions are those of its own visit. */
export function eventsSql(question: Question, bind: Bind): FactSql {
  return rowsOfEvents(question, bind, { which: DEEDS, more: 'type, extends_visit' });
}

/** The tracker's reports of visible time and scrolling in the period, as events are. */
export function attentionSql(question: Question, bind: Bind): FactSql {
  return rowsOfEvents(question, bind, {
    which: ATTENTION,
    more: 'path, engagement_ms, scroll_depth',
  });
}

function rowsOfEvents(
  question: Question,
  bind: Bind,
  { which, more }: { readonly which: string; readonly more: string },
): FactSql {
  const ofVisits = visitDimensions(question);
  const { columns, only, columnOf } = eventColumns(question, bind);
  const where = all(within('occurred_at', question, bind), byPeople(question), which, ...only);
  const made = `
    SELECT ${more}, visitor_id, visitor, visit_id, toUnixTimestamp64Milli(occurred_at) AS at${columns}
    FROM events WHERE ${where}`;
  const events = withFirstVisitSql(made, question, bind);
  const toValue: FactSql['toValue'] = (dimension) => {
    switch (dimension.of) {
      case 'visit':
        return `if(known = 1, ${visitColumn(ofVisits, dimension)}, '${UNATTRIBUTED}')`;
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
  const condition = toCondition(question.filter, {
    toValue,
    hasDone: (filter) => hasDoneSql(question, filter, bind),
    bind,
  });
  if (ofVisits.length === 0) return { from: `(${events}) AS fact`, where: condition, toValue };

  // A visit may have begun long before the period: the events tell how far to look.
  const starts = (aggregate: string) =>
    `(SELECT ${aggregate}(visit_started_at) FROM events WHERE ${where} AND visit_id != ${NO_VISIT})`;
  const visits = `
    SELECT visit_id AS own_visit, 1 AS known${visitColumns(ofVisits, question, bind)}
    FROM visits FINAL
    WHERE site_id = ${bind(question.site.id, 'String')}
      AND visit_started_at >= ${starts('minOrNull')} AND visit_started_at <= ${starts('maxOrNull')}`;
  return {
    from: `(${events}) AS fact LEFT JOIN (${visits}) AS visit ON visit_id = own_visit`,
    where: condition,
    toValue,
  };
}

/** Columns `e0, e1, …` for the event dimensions of a question, and what its breakdowns leave out. */
export function eventColumns(question: Question, bind: Bind) {
  const byName = new Map(
    [...question.dimensions, ...filteredDimensions(question.filter)]
      .filter((dimension) => dimension.of === 'event')
      .map((dimension) => [dimension.name, dimension]),
  );
  const names = [...byName.keys()];
  const columns = [...byName.values()].map(({ sql }, index) => `, ${sql(bind)} AS e${index}`);
  return {
    columns: columns.join(''),
    only: question.dimensions.map((dimension) =>
      dimension.of === 'event' ? dimension.only : undefined,
    ),
    columnOf: (name: string) => `e${names.indexOf(name)}`,
  };
}
