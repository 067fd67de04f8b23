import type { AttributionModel } from '#domain/attribution/models.ts';
import type { RemovalEffects } from '#domain/attribution/removal-effects.ts';
import type { Period } from '#domain/time/period.ts';
import type { SplittingModel } from '../attribution/weights.ts';
import type { Dimension } from '../dimension.ts';
import type { Metric } from '../metric.ts';
import type { ReportSite } from '../ports.ts';
import type { Filter } from './filter.ts';

/** A query that was understood: every name found, every default filled in. */
export type Query = {
  readonly site: ReportSite;
  readonly period: Period;
  readonly metrics: readonly Metric[];
  readonly dimensions: readonly Dimension[];
  readonly filter: Filter;
  /** Whose payments and goals alone are meant; everybody's when left out. */
  readonly person?: string;
  readonly attribution: Attribution;
  readonly order: readonly Order[];
  readonly page: Page;
  /** The period that each row is compared with. */
  readonly comparedWith: Period | undefined;
  /** What the warehouse has of the site; everything is taken to be there until it is looked up. */
  readonly has?: SiteFacts | undefined;
};

/** What a site has of what costs something to look for. */
export type SiteFacts = {
  readonly payments: boolean;
  /** Payments in other currencies than the site's. */
  readonly foreignMoney: boolean;
  /** Visitors who are the same person as another, or payers without a visitor. */
  readonly persons: boolean;
  /** Visits that began in the period; more where late events have not merged yet. */
  readonly visits: number;
};

/** From one instant up to another, which is left out. Milliseconds since 1970, UTC. */
export type Span = { readonly startsAt: number; readonly endsAt: number };

/** Which visits a payment or conversion is credited to. */
export type Attribution = {
  /** Of a metric that names no model of its own. */
  readonly model: AttributionModel;
  /** Several, when the query asks for each credited metric by each of them. */
  readonly models?: readonly AttributionModel[] | undefined;
  /** Models that share paths, which facts are credited by at once: the first is `model`. */
  readonly alongside?: readonly SplittingModel[] | undefined;
  /** Visits further back get no credit; null for all history. */
  readonly lookbackDays: number | null;
  /** What `data_driven` goes by, for each fact that is credited. Nothing before it is learned. */
  readonly effects?: Readonly<Record<CreditedFact, RemovalEffects>> | undefined;
};

/** The facts that visits get the credit for. */
export type CreditedFact = 'payments' | 'conversions';

/** By a metric or dimension of the query. Nulls come last either way. */
export type Order = { readonly by: Metric | Dimension; readonly direction: 'asc' | 'desc' };

/**
 * Which of the rows are answered.
 *
 * - Shape: with `after`, those behind the row that has these values in the query's order.
 */
export type Page = {
  readonly limit: number;
  readonly offset: number;
  readonly after?: readonly (string | null)[] | undefined;
};
