import type { BucketUnit } from '#domain/time/buckets.ts';
import type { ReportSite } from './ports.ts';

/** What something without a value of a dimension is shown under. */
export const NONE = '(none)';

/** What belongs to no visit, and so to no source: shown, so that rows sum to the whole. */
export const UNATTRIBUTED = 'Unattributed';

/** A dimension of visits: payments and conversions take it from the visit they are credited to. */
export type VisitDimension = {
  readonly of: 'visit';
  readonly name: string;
  /**
   * SQL of its value over a row of the warehouse's `visits`. Never empty: empty has a name. A
   * function where the site has a say in it.
   */
  readonly sql: string | ((site: ReportSite, bind: Bind) => string);
  /** Whether it tells bots from people, so that a query that names it counts bots too. */
  readonly tellsBots?: true;
};

/** A dimension of events. */
export type EventDimension = {
  readonly of: 'event';
  readonly name: string;
  /** SQL of its value over a row of the warehouse's `events`. Never empty: empty has a name. */
  readonly sql: (bind: Bind) => string;
  /** SQL of which events it applies to; a breakdown leaves the others out. */
  readonly only?: string;
};

/** A dimension of payments: only what is counted from payments can be broken down by it. */
export type PaymentDimension = {
  readonly of: 'payment';
  readonly name: string;
  /**
   * SQL of its value over a row of the warehouse's `payments`, or, where the payer's last visit
   * tells it, of `visits`. Never empty: empty has a name.
   */
  readonly sql: string;
  /** Left out, a payment tells its value itself. */
  readonly toldBy?: 'last visit';
};

/** A dimension of visitors: what the first visit of each was, whenever it was. */
export type VisitorDimension = {
  readonly of: 'visitor';
  readonly name: string;
  /**
   * SQL of its value over a row of the warehouse's `visits`, the visitor's first. `timeZone` is a bound
   * place that holds the query's zone as the engine knows it.
   */
  readonly sql: (of: {
    readonly site: ReportSite;
    readonly bind: Bind;
    readonly timeZone: string;
  }) => string;
};

/** A dimension of time: buckets of the period, by when the visit began or the thing happened. */
export type TimeDimension<Unit = BucketUnit | 'any'> = {
  readonly of: 'time';
  readonly name: string;
  /** `any` takes the unit that suits the period. */
  readonly unit: Unit;
  /** Where buckets of no unit begin, in milliseconds since 1970: two periods, for one. */
  readonly starts?: readonly number[];
};

/** What a query can be broken down and filtered by. Each stands in a file of its own. */
export type Dimension =
  | VisitDimension
  | EventDimension
  | PaymentDimension
  | VisitorDimension
  | TimeDimension<BucketUnit>;

/** A dimension as its file has it: `time` has no unit before the period is known. */
export type ListedDimension = Exclude<Dimension, TimeDimension<BucketUnit>> | TimeDimension;

/** What a filter can test. */
export type FilteredDimension = Exclude<Dimension, TimeDimension<BucketUnit>>;

/** Dimensions that share a prefix, one for each name behind it: `event:props:NAME`. */
export type DimensionFamily = {
  readonly of: 'family';
  /** How it is written where it is listed: `event:props:NAME`. */
  readonly name: string;
  readonly prefix: string;
  /** The dimension of what stands behind the prefix; `undefined` where there can be none. */
  readonly member: (name: string) => ListedDimension | undefined;
};

/** Binds a value to a statement; comes out as its place in the SQL: `{p0:String}`. */
export type Bind = (
  value: string | number | readonly string[] | readonly number[],
  type: string,
) => string;

/**
 * SQL of a column, with a name for its empty text.
 *
 * Why not by `if`: this looks at each text of a dictionary once, and leaves it one.
 */
export function named(sql: string, whenEmpty: string): string {
  return `transform(${sql}, [''], ['${whenEmpty}'])`;
}

/** A dimension of visits. */
export const visitDimension = (name: string, sql: VisitDimension['sql']): VisitDimension => ({
  of: 'visit',
  name,
  sql,
});

/** A dimension of the events for which `only` holds. */
export const eventDimension = (
  name: string,
  sql: EventDimension['sql'],
  only: string,
): EventDimension => ({ of: 'event', name, sql, only });

/** A dimension that payments tell themselves. */
export const paymentDimension = (name: string, sql: string): PaymentDimension => ({
  of: 'payment',
  name,
  sql,
});

/** A dimension of visitors. */
export const visitorDimension = (name: string, sql: VisitorDimension['sql']): VisitorDimension => ({
  of: 'visitor',
  name,
  sql,
});

/** A dimension of time. */
export const timeDimension = (name: string, unit: TimeDimension['unit']): TimeDimension => ({
  of: 'time',
  name,
  unit,
});
