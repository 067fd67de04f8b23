import type { AttributionModel } from '#domain/attribution/models.ts';
import type { Fact, Need } from '../../metric.ts';
import { type Filter, namesEvents, partition } from '../filter.ts';
import type { BaseQuery, Query } from '../query.ts';
import type { Count, FactPlan, Values } from './plan.ts';
import { planScope, planValues, type SiteFacts } from './plan-scope.ts';

/** What a fact is planned for: a query, and how its payments and goals are credited. */
export type CreditedQuery = BaseQuery & Pick<Query, 'attribution'>;

/** How a fact is read and credited, without counts: by each of the models where they share their paths. */
export function planFact(
  of: Fact,
  query: CreditedQuery,
  facts: SiteFacts,
  {
    counts = [],
    needs = [],
    models = [query.attribution.model],
  }: {
    readonly counts?: readonly Count[];
    readonly needs?: readonly Need[];
    readonly models?: readonly AttributionModel[];
  } = {},
): FactPlan {
  const { filter, visitFilter } = splitFilter(of, query.filter);
  return {
    ...planScope(query, facts),
    of,
    counts,
    keys: query.dimensions,
    filter,
    visitFilter,
    values: valuesOf(of, { ...query, filter }),
    needs: new Set(needs),
    credit: isCredited(of, query) ? { to: 'path', models, effects: undefined } : { to: 'none' },
    lookbackDays: query.attribution.lookbackDays,
  };
}

/**
 * Whether a fact is credited to visits: where the query is about these.
 *
 * Why payments also by events: an event is that of the credited visit, and goals have their own.
 */
export function isCredited(of: Fact, query: BaseQuery): boolean {
  if (of !== 'payments' && of !== 'conversions') return false;
  if (planValues(query).visit.length > 0) return true;
  return of === 'payments' && isByEvent(query);
}

/** Whether a query breaks down or filters by an event's dimension. */
export function isByEvent({ dimensions, filter }: BaseQuery): boolean {
  return namesEvents(filter) || dimensions.some((dimension) => dimension.of === 'event');
}

/** Where a fact is events, tests of visits stand by themselves. */
function splitFilter(of: Fact, filter: Filter): Pick<FactPlan, 'filter' | 'visitFilter'> {
  const [visitFilter, others] = partition(filter, 'visit');
  const isSplit = (of === 'events' || of === 'attention') && visitFilter.of.length > 0;
  return isSplit ? { filter: others, visitFilter } : { filter, visitFilter: undefined };
}

/** Visits and payments are no events: those of theirs are joined for a breakdown, and looked up for a filter. */
function valuesOf(of: Fact, query: BaseQuery): Values {
  const values = planValues(query);
  if (of !== 'visits' && of !== 'payments') return values;
  return { ...values, event: query.dimensions.filter((dimension) => dimension.of === 'event') };
}
