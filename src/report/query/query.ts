import type { AttributionModel } from '#domain/attribution/models.ts';
import type { Compared } from '#domain/time/compared-periods.ts';
import type { Period } from '#domain/time/period.ts';
import type { Dimension } from '../dimension.ts';
import type { Metric } from '../metric.ts';
import type { ReportSite } from '../ports.ts';
import type { Filter } from './filter.ts';

/** The common fields of all queries: which site, when, about whom, and by what. */
export type BaseQuery = {
  readonly site: ReportSite;
  readonly period: Period;
  readonly filter: Filter;
  readonly dimensions: readonly Dimension[];
};

/** A resolved query: names looked up, defaults filled in. */
export type Query = BaseQuery & {
  readonly metrics: readonly Metric[];
  readonly attribution: Attribution;
  readonly order: readonly Order[];
  readonly page: Page;
  /** Whether to answer the metrics over all rows too. */
  readonly hasTotals: boolean;
  /** The period that each row is compared with. */
  readonly comparedWith: Compared | undefined;
};

/** Which visits a payment or conversion is credited to. */
type Attribution = {
  /** For metrics that name no model. */
  readonly model: AttributionModel;
  /** Set if the query asks for each credited metric by several models. */
  readonly models?: readonly AttributionModel[] | undefined;
  /** Older visits get no credit; null for all history. */
  readonly lookbackDays: number | null;
};

/** By a metric or dimension of the query. Nulls come last either way. */
export type Order = { readonly by: Metric | Dimension; readonly direction: 'asc' | 'desc' };

/**
 * Selects the rows to answer.
 *
 * - Shape: with `after`, those that follow the row with these values in the query's order.
 */
export type Page = {
  readonly limit: number;
  readonly offset: number;
  readonly after?: readonly (string | null)[] | undefined;
};
