import type { AttributionModel } from '#domain/attribution/models.ts';
import type { Period } from '#domain/time/period.ts';
import type { Dimension } from '../dimension.ts';
import type { Metric } from '../metric.ts';
import type { ReportSite } from '../ports.ts';
import type { Filter } from './filter.ts';

/** What every kind of query is about: which site, when, of whom, and by what. */
export type BaseQuery = {
  readonly site: ReportSite;
  readonly period: Period;
  readonly filter: Filter;
  readonly dimensions: readonly Dimension[];
};

/** A query, resolved: every name found, every default filled in. */
export type Query = BaseQuery & {
  readonly metrics: readonly Metric[];
  readonly attribution: Attribution;
  readonly order: readonly Order[];
  readonly page: Page;
  /** The period that each row is compared with. */
  readonly comparedWith: Period | undefined;
};

/** Which visits a payment or conversion is credited to. */
export type Attribution = {
  /** Of a metric that names no model of its own. */
  readonly model: AttributionModel;
  /** Several, when the query asks for each credited metric by each of them. */
  readonly models?: readonly AttributionModel[] | undefined;
  /** Visits further back get no credit; null for all history. */
  readonly lookbackDays: number | null;
};

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
