import type { AttributionModel } from '#domain/attribution/models.ts';
import type { Dimension } from '../../dimension.ts';
import type { Fact, Need } from '../../metric.ts';
import type { RunOptions } from '../../ports.ts';
import { type Filter, filteredDimensions, namesBehaviour, partition } from '../filter.ts';
import type { BaseQuery, Query } from '../query.ts';
import type { Count, Credit, FactPlan, ReportPlan, Scope, SiteFacts, Values } from './plan.ts';

/** Up to this many visits in the period, distinct visitors are counted exactly. */
const EXACT_VISITS_MAX = 1_000_000;

/** The only place that decides how to count distinct visitors. */
export function isExact({ visits }: SiteFacts): boolean {
  return visits <= EXACT_VISITS_MAX;
}

/** Up to this many visits, a statement costs less on one thread than starting more threads does. */
const ONE_THREAD_VISITS_MAX = 20_000;

/** How many threads the query's statements run on. */
export function planThreads({ visits }: SiteFacts): Pick<RunOptions, 'threadsMax'> {
  return visits > ONE_THREAD_VISITS_MAX ? {} : { threadsMax: 1 };
}

/** What a query's statements share on a site with these facts. */
export function planScope(query: BaseQuery, facts: SiteFacts): Scope {
  const { visit } = planValues(query);
  return {
    site: query.site,
    period: query.period,
    // A query that distinguishes bots counts them.
    countsBots: visit.some(({ tellsBots }) => tellsBots === true),
    joinsPersons: facts.persons,
  };
}

/** The plan of a report whose rows begin in a visit. By visitor, each counts alone, as if no persons were known. */
export function planReport(query: BaseQuery, facts: SiteFacts, by = 'person'): ReportPlan {
  const { filter, dimensions } = query;
  const persons = facts.persons && by === 'person';
  const scope = planScope(query, { ...facts, persons });
  return { ...scope, filter, dimensions, values: planValues(query) };
}

/** The input of a fact's plan: a query, and how its payments and goals are credited. */
export type CreditedQuery = BaseQuery & Pick<Query, 'attribution'>;

/** How a fact is read and credited, without counts: by several models if they share their paths. */
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
  const values = valuesOf(of, { ...query, filter });
  const credit = isCredited(of, query) ? planCredit(models, query.attribution) : NO_CREDIT;
  const scope = planScope(query, facts);
  return {
    ...scope,
    // Sums of all payments do not depend on who paid, and the join costs as much as they do.
    joinsPersons:
      scope.joinsPersons &&
      (of !== 'payments' || credit.to !== 'none' || isOfPayers(filter, values, needs)),
    of,
    counts,
    keys: query.dimensions,
    filter,
    visitFilter,
    values,
    needs: new Set(needs),
    credit,
    lookbackDays: query.attribution.lookbackDays,
  };
}

const NO_CREDIT: Credit = { to: 'none' };

function planCredit(
  models: readonly AttributionModel[],
  { lookbackDays }: CreditedQuery['attribution'],
): Credit {
  const isFirst = models.length === 1 && models[0] === 'first_touch' && lookbackDays === null;
  return isFirst ? { to: 'first' } : { to: 'path', models, effects: undefined };
}

/** Whether the payer matters: all needs of payments are about them. */
function isOfPayers(
  filter: Filter,
  { visitor, lastVisit }: Values,
  needs: readonly Need[],
): boolean {
  return needs.length + visitor.length + lastVisit.length > 0 || namesBehaviour(filter);
}

/**
 * Whether a fact is credited to visits: if the query is about them.
 *
 * Why payments by events too: the event is one of the credited visit, and goals are events themselves.
 */
export function isCredited(of: Fact, query: BaseQuery): boolean {
  if (of !== 'payments' && of !== 'conversions') return false;
  if (planValues(query).visit.length > 0) return true;
  return of === 'payments' && isByEvent(query);
}

/** Whether a query breaks down or filters by an event's dimension. */
export function isByEvent(query: BaseQuery): boolean {
  return planValues(query).event.length > 0;
}

/** For a fact of events, tests of visits stand alone. */
function splitFilter(of: Fact, filter: Filter): Pick<FactPlan, 'filter' | 'visitFilter'> {
  const [visitFilter, others] = partition(filter, 'visit');
  const isSplit = (of === 'events' || of === 'attention') && visitFilter.of.length > 0;
  return isSplit ? { filter: others, visitFilter } : { filter, visitFilter: undefined };
}

/** Visits and payments are not events: theirs are joined for a breakdown, and looked up for a filter. */
function valuesOf(of: Fact, query: BaseQuery): Values {
  const values = planValues(query);
  if (of !== 'visits' && of !== 'payments') return values;
  return { ...values, event: query.dimensions.filter((dimension) => dimension.of === 'event') };
}

/** The dimensions that a query breaks down or filters by. */
function planValues({ dimensions, filter }: BaseQuery): Values {
  const toEach = (dimension: Dimension): readonly Dimension[] =>
    dimension.of === 'each' ? dimension.each : [dimension];
  const all = [...dimensions.flatMap(toEach), ...filteredDimensions(filter)];
  const named = [...new Map(all.map((dimension) => [dimension.name, dimension])).values()];
  const ofPayments = named.filter((dimension) => dimension.of === 'payment');
  return {
    visit: named.filter((dimension) => dimension.of === 'visit'),
    event: named.filter((dimension) => dimension.of === 'event'),
    visitor: named.filter((dimension) => dimension.of === 'visitor'),
    payment: ofPayments.filter(({ foundIn }) => foundIn === undefined),
    lastVisit: ofPayments.filter(({ foundIn }) => foundIn !== undefined),
  };
}
