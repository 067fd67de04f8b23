import { type Bind, UNATTRIBUTED } from '../../../dimension.ts';
import type { FactPlan } from '../../plan/plan.ts';
import { toCondition } from '../condition.ts';
import { withFirstVisitSql } from '../first-visit.ts';
import { hasDoneSql } from '../has-done.ts';
import {
  ATTENTION,
  all,
  byPeople,
  COUNTED_EVENTS,
  columnOf,
  type FactSql,
  NO_VISIT,
  ofSite,
  visitColumns,
  within,
} from '../rows.ts';

/** What visitors did in the period, one row each; visit dimensions are those of its own visit. */
export function eventsSql(plan: FactPlan, bind: Bind): FactSql {
  return rowsOfEvents(plan, bind, { which: COUNTED_EVENTS, more: 'type, extends_visit' });
}

/** The tracker's reports of visible time and scrolling in the period, as events are. */
export function attentionSql(plan: FactPlan, bind: Bind): FactSql {
  return rowsOfEvents(plan, bind, { which: ATTENTION, more: 'path, engagement_ms, scroll_depth' });
}

function rowsOfEvents(
  plan: FactPlan,
  bind: Bind,
  { which, more }: { readonly which: string; readonly more: string },
): FactSql {
  const { values } = plan;
  const where = all(within('occurred_at', plan, bind), byPeople(plan), which, ...onlyOfKeys(plan));
  const made = `
    SELECT ${more}, visitor_id, visitor, visit_id, toUnixTimestamp64Milli(occurred_at) AS at${eventColumns(plan, bind)}
    FROM events WHERE ${where}`;
  const events = withFirstVisitSql(made, plan, bind, { tellsFirst: plan.needs.has('first_visit') });
  const toValue: FactSql['toValue'] = (dimension) => {
    if (dimension.of === 'time') return 'at';
    const column = columnOf(values, dimension);
    return dimension.of === 'visit' ? `if(known = 1, ${column}, '${UNATTRIBUTED}')` : column;
  };
  const condition = toCondition(plan.filter, {
    toValue,
    hasDone: (filter) => hasDoneSql(plan, filter, bind),
    bind,
  });
  if (values.visit.length === 0) return { from: `(${events}) AS fact`, where: condition, toValue };

  // A visit may have begun long before the period: the events tell how far to look.
  const starts = (aggregate: string) =>
    `(SELECT ${aggregate}(visit_started_at) FROM events WHERE ${where} AND visit_id != ${NO_VISIT})`;
  const visits = `
    SELECT visit_id AS own_visit, 1 AS known${visitColumns(values.visit, plan, bind)}
    FROM visits FINAL
    WHERE ${ofSite(plan, bind)}
      AND visit_started_at >= ${starts('minOrNull')} AND visit_started_at <= ${starts('maxOrNull')}`;
  return {
    from: `(${events}) AS fact LEFT JOIN (${visits}) AS visit ON visit_id = own_visit`,
    where: condition,
    toValue,
  };
}

/** Columns `e0, e1, …` for the event dimensions of a fact's rows. */
export function eventColumns({ values }: FactPlan, bind: Bind): string {
  return values.event.map(({ sql }, index) => `, ${sql(bind)} AS e${index}`).join('');
}

/** SQL of which events the breakdown is of. */
export function onlyOfKeys({ keys }: FactPlan): (string | undefined)[] {
  return keys.map((dimension) => (dimension.of === 'event' ? dimension.only : undefined));
}
