import type { Dimension } from '../../dimension.ts';
import { filteredDimensions } from '../filter.ts';
import type { BaseQuery } from '../query.ts';
import type { ReportPlan, Scope, Values } from './plan.ts';

/** Money in one of the other currencies: of the period how much, and when it was paid, in seconds since 1970. */
export type ForeignMoney = {
  readonly currency: string;
  readonly payments: number;
  readonly paidFrom: number;
  readonly paidTo: number;
};

/** What a site has of what costs something to look for. */
export type SiteFacts = {
  readonly payments: boolean;
  /** Payments in other currencies than the site's, by currency. */
  readonly foreignMoney: readonly ForeignMoney[];
  /** Visitors who are the same person as another, or payers without a visitor. */
  readonly persons: boolean;
  /** Visits that began in the period; more where late events have not merged yet. */
  readonly visits: number;
  /** Where the site's records begin, of a query about all there is: milliseconds, UTC. */
  readonly earliestAt?: number | undefined;
};

/** What the statements of a query go by on a site that has this. */
export function planScope(query: BaseQuery, facts: SiteFacts): Scope {
  const { visit } = planValues(query);
  return {
    site: query.site,
    period: query.period,
    // A query that tells bots apart counts them.
    countsBots: visit.some(({ tellsBots }) => tellsBots === true),
    joinsPersons: facts.persons,
    currencies: facts.foreignMoney.map(({ currency }) => currency),
  };
}

/** The plan of a report of rows that begin in a visit. */
export function planReport(query: BaseQuery, facts: SiteFacts): ReportPlan {
  const { filter, dimensions } = query;
  return { ...planScope(query, facts), filter, dimensions, values: planValues(query) };
}

/** The dimensions that a query breaks down or filters by. */
export function planValues({
  dimensions,
  filter,
}: Pick<BaseQuery, 'dimensions' | 'filter'>): Values {
  const all: Dimension[] = [...dimensions, ...filteredDimensions(filter)];
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
