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
import type { MoneyRates } from '../money-rates.ts';
import type { BaseQuery, Order, Page } from '../query.ts';

/** What all statements of a query share. */
export type Scope = {
  readonly site: ReportSite;
  readonly period: Period;
  /** Whether bots count beside people. */
  readonly countsBots: boolean;
  /** Whether visitors are joined with the persons they are; else each visitor is a person. */
  readonly joinsPersons: boolean;
  readonly rates: MoneyRates;
  /** Whose payments and goals alone are meant; everybody's when left out. */
  readonly person?: string;
};

/** The dimensions whose values the rows of a fact need, by where they are found, each once. */
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

/** The plan of a report that is no breakdown: rows that begin in a visit, filtered and grouped by its values. */
export type ReportPlan = Scope &
  Pick<BaseQuery, 'filter' | 'dimensions'> & { readonly values: Values };

/** Which visits the facts are credited to. */
export type Credit =
  | { readonly to: 'none' }
  /** The first touch of all, whatever else there was: the commonest model needs no paths. */
  | { readonly to: 'first' }
  | {
      readonly to: 'path';
      /** Several are credited at once, as the paths cost most. */
      readonly models: readonly AttributionModel[];
      /** What `data_driven` goes by; nothing before it is learned. */
      readonly effects: RemovalEffects | undefined;
    };

/** How one fact is read, credited and counted. */
export type FactPlan = Scope & {
  readonly of: Fact;
  readonly counts: readonly Count[];
  /** What its counts are grouped by: columns `d0, d1, …`. */
  readonly keys: readonly Dimension[];
  readonly filter: Filter;
  /** Of events: tests of their visits alone, which choose visits and need no values of theirs. */
  readonly visitFilter: Filter | undefined;
  readonly values: Values;
  readonly needs: ReadonlySet<Need>;
  readonly credit: Credit;
  /** Visits further back are no touches; null for all history. */
  readonly lookbackDays: number | null;
};

/** One number that a statement counts. */
export type Count = {
  readonly column: string;
  /** SQL of the aggregate. */
  readonly sql: string;
  /** Of facts credited by several models at once: the number of its own among them, from 1. */
  readonly modelNumber: number | undefined;
};

/** Facts whose counts are laid over each other, each row with the columns of all. */
export type Layer = {
  readonly keys: readonly Dimension[];
  readonly columns: readonly string[];
  readonly facts: readonly FactPlan[];
  /** Adds a row of zeros for every bucket of it that has begun. */
  readonly filledBy: TimeDimension<BucketUnit> | undefined;
};

/** How a query is answered: every choice made. */
export type Plan = Scope & {
  /** Each with SQL over the columns of its counts. */
  readonly metrics: readonly (Pick<Metric, 'name' | 'unit'> & { readonly sql: string })[];
  readonly dimensions: readonly Dimension[];
  readonly rows: Layer;
  /** Counts that ignore dimensions, such as those of events: joined to each row by its other ones. */
  readonly wholes: readonly Layer[];
  readonly order: readonly Order[];
  readonly page: Page;
  /** Whether distinct visitors are estimated. */
  readonly isApproximate: boolean;
  /** Whether counts of what is credited may come in parts. */
  readonly isInParts: boolean;
};
