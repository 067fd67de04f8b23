import type { BucketUnit } from '#domain/time/buckets.ts';
import type { ReportSite } from './ports.ts';

/** What something without a value of a dimension is shown under. */
export const NONE = '(none)';

/** What belongs to no visit, and so to no source: shown, so that rows sum to the whole. */
export const UNATTRIBUTED = 'Unattributed';

/** Whose values they are, and in which zone days begin. */
export type ValueScope = {
  readonly site: ReportSite;
  readonly period: { readonly timeZone: string };
};

/** A dimension whose value is found over the rows of one table. */
type ValueDimension<Of extends string, Sql = string> = {
  readonly of: Of;
  readonly name: string;
  /** SQL of its value over a row. Never empty: empty has a name. */
  readonly sql: Sql;
};

/** SQL; a function where it binds values, or the site or the zone has a say in it. */
type ScopedSql = string | ((bind: Bind, scope: ValueScope) => string);

/**
 * A dimension of visits, over rows of `visits`: payments and conversions take it from the visit they are
 * credited to.
 */
export type VisitDimension = ValueDimension<'visit', ScopedSql> & {
  /** Whether it tells bots from people, so that a query that names it counts bots too. */
  readonly tellsBots?: true;
};

/** A dimension of events, over rows of `events`. */
export type EventDimension = ValueDimension<'event', ScopedSql> & {
  /** SQL of which events it applies to; a breakdown leaves the others out. */
  readonly only?: string;
  /** Whether one event has several of its values: its SQL makes a row of each, so no filter can test it. */
  readonly isMany?: true;
};

/**
 * A dimension of payments, over rows of `payments` or of the payer's last visit: only what is counted from
 * payments can be broken down by it.
 */
export type PaymentDimension = ValueDimension<'payment'> & {
  /** Left out, the payment itself has the value. */
  readonly foundIn?: 'last visit';
};

/** A dimension of visitors, over the row of `visits` of the first visit of each, whenever it was. */
export type VisitorDimension = ValueDimension<'visitor', ScopedSql>;

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
  /** The dimension of what stands for `NAME`; `undefined` where there can be none. */
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

/** SQL of a dimension's value over a row of its table. */
export function valueSql({ sql }: FilteredDimension, scope: ValueScope, bind: Bind): string {
  return typeof sql === 'string' ? sql : sql(bind, scope);
}

/** A dimension of visits. */
export const visitDimension = dimensionsOf<VisitDimension>('visit');
/** A dimension of the events for which `only` holds. */
export const eventDimension = dimensionsOf<EventDimension>('event');
/** A dimension of payments. */
export const paymentDimension = dimensionsOf<PaymentDimension>('payment');
/** A dimension of visitors. */
export const visitorDimension = dimensionsOf<VisitorDimension>('visitor');

function dimensionsOf<Kind extends FilteredDimension>(of: Kind['of']) {
  return (name: string, sql: Kind['sql'], more?: Omit<Kind, 'of' | 'name' | 'sql'>): Kind =>
    ({ of, name, sql, ...more }) as Kind;
}

/** A dimension of time. */
export const timeDimension = (name: string, unit: TimeDimension['unit']): TimeDimension => ({
  of: 'time',
  name,
  unit,
});
