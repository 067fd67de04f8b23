import type { AttributionModel } from '#domain/attribution/models.ts';
import type { RemovalEffects } from '#domain/attribution/removal-effects.ts';
import type { BucketUnit } from '#domain/time/buckets.ts';
import type { Period } from '#domain/time/period.ts';
import type {
  Dimension,
  EventDimension,
  PaymentDimension,
  TimeDimension,
  VisitDimension,
  VisitorDimension,
} from '../../dimension.ts';
import type { Fact, Metric, Need } from '../../metric.ts';
import type { ReportSite } from '../../ports.ts';
import type { Filter } from '../filter.ts';
import type { BaseQuery, Order, Page } from '../query.ts';

/** Facts about a site that save expensive lookups. */
export type SiteFacts = {
  readonly payments: boolean;
  readonly costs: boolean;
  readonly money: MoneyFacts;
  /** Whether visitors share a person, or payers have no visitor. */
  readonly persons: boolean;
  /** Visits that began in the period; more if late events are not merged yet. */
  readonly visits: number;
  /** When the site's records begin, for a query over all time: milliseconds, UTC. */
  readonly earliestAt?: number | undefined;
};

/** What a site's money is like, at any time. */
type MoneyFacts = {
  /** Payments whose currency has no rate on their day; perhaps only in earlier versions of rows. */
  readonly hasUnconverted: boolean;
  /** Payments that old rates converted; likewise. */
  readonly hasLate: boolean;
  /** Costs whose currency has no rate on their day; likewise. */
  readonly hasUnconvertedCosts: boolean;
  /** The last day with known rates, if it is some days ago and the site is paid, or pays, in another currency than its own. */
  readonly ratesUntil: string | undefined;
};

/** The common fields of a query's statements. */
export type Scope = {
  readonly site: ReportSite;
  readonly period: Period;
  /** Whether bots count as well as people. */
  readonly countsBots: boolean;
  /** Whether to join visitors with their persons; else each visitor is a person. */
  readonly joinsPersons: boolean;
  /** Whether amounts are in the currencies that were paid. */
  readonly isAsPaid?: boolean;
  /** The person whose payments and goals count; undefined for everyone's. */
  readonly person?: string | undefined;
};

/** The distinct dimensions whose values a fact's rows need, by where they are found. */
export type Values = {
  /** Columns `v0, v1, …`. */
  readonly visit: readonly VisitDimension[];
  /** Columns `e0, e1, …`. */
  readonly event: readonly EventDimension[];
  /** Of the first visit: columns `u0, u1, …`. */
  readonly visitor: readonly VisitorDimension[];
  /** Columns `y0, y1, …`. */
  readonly payment: readonly PaymentDimension[];
  /** Of the payer's last visit: columns `w0, w1, …`. */
  readonly lastVisit: readonly PaymentDimension[];
};

/** The plan of a report other than a breakdown: rows that begin in a visit, filtered and grouped by its values. */
export type ReportPlan = Scope &
  Pick<BaseQuery, 'filter' | 'dimensions'> & { readonly values: Values };

/** The visits to which facts are credited. */
export type Credit =
  | { readonly to: 'none' }
  /** The first touch ever, regardless of others: the most common model needs no paths. */
  | { readonly to: 'first' }
  | {
      readonly to: 'path';
      /** Several models are credited at once, as paths cost most. */
      readonly models: readonly AttributionModel[];
      /** The basis of `data_driven`; undefined until learned. */
      readonly effects: RemovalEffects | undefined;
    };

/** How one fact is read, credited and counted. */
export type FactPlan = Scope & {
  readonly of: Fact;
  readonly counts: readonly Count[];
  /** The keys that group its counts: columns `d0, d1, …`. */
  readonly keys: readonly Dimension[];
  readonly filter: Filter;
  /** For events: tests of visits alone, which select visits and need no values of theirs. */
  readonly visitFilter: Filter | undefined;
  readonly values: Values;
  readonly needs: ReadonlySet<Need>;
  readonly credit: Credit;
  /** Older visits are not touches; null for all history. */
  readonly lookbackDays: number | null;
};

/** One number counted by a statement. */
export type Count = {
  readonly column: string;
  /** SQL for the aggregate. */
  readonly sql: string;
  /** For facts credited by several models at once: the number of its own, from 1. */
  readonly modelNumber: number | undefined;
};

/** Facts whose counts are merged, each row with the columns of all. */
export type Layer = {
  readonly keys: readonly Dimension[];
  readonly columns: readonly string[];
  readonly facts: readonly FactPlan[];
  /** Adds a row for the whole, with `is_total`, if the other rows have keys. */
  readonly hasTotal: boolean;
  /** Adds a row of zeros for each of its buckets that has begun. */
  readonly filledBy: TimeDimension<BucketUnit> | undefined;
  /** Whether several facts may have a row of the same key, so that their counts are summed. */
  readonly isMerged: boolean;
  readonly rank: Rank | undefined;
};

/**
 * The first rows of a layer by the sum of payments that ranks them. The other facts need not count the visitors of the
 * rows behind.
 */
export type Rank = {
  /** Where the fact of the payments stands among the layer's. */
  readonly fact: number;
  /** The column with their sum, the largest first. */
  readonly column: string;
  /** One more than the page has tells whether there is another. */
  readonly rows: number;
};

/** How to answer a query: every choice made. */
export type Plan = Scope & {
  /** Each with SQL over the columns of its counts. */
  readonly metrics: readonly (Pick<Metric, 'name' | 'unit'> & { readonly sql: string })[];
  readonly dimensions: readonly Dimension[];
  readonly rows: Layer;
  /** Counts that ignore dimensions, such as those of events, joined to each row by the others. */
  readonly wholes: readonly Layer[];
  readonly order: readonly Order[];
  readonly page: Page;
  /** Whether distinct visitors are estimated. */
  readonly isApproximate: boolean;
  /** Whether counts of credited facts may be fractions. */
  readonly isInParts: boolean;
};
