import { NONE } from '#domain/row-labels.ts';
import type { BucketUnit } from '#domain/time/buckets.ts';
import type { ReportSite } from './ports.ts';

/** The site of the values, and the time zone of its days. */
export type ValueScope = {
  readonly site: ReportSite;
  readonly period: { readonly timeZone: string };
};

/** A dimension whose value comes from the rows of one table. */
type ValueDimension<Of extends string, Sql = string> = {
  readonly of: Of;
  readonly name: string;
  /** SQL for its value in a row. Never empty, because empty values have a label. */
  readonly sql: Sql;
};

/** SQL, or a function that returns it if it binds values or depends on the site or time zone. */
type ScopedSql = string | ((bind: Bind, scope: ValueScope) => string);

/**
 * A dimension of visits, over rows of `visits`. Payments and conversions take its value from their credited
 * visit.
 */
export type VisitDimension = ValueDimension<'visit', ScopedSql> &
  OfCosts & {
    /** Whether it distinguishes bots from people. A query that names it counts bots too. */
    readonly tellsBots?: true;
  };

/** A dimension of events, over rows of `events`. */
export type EventDimension = ValueDimension<'event', ScopedSql> & {
  /** SQL condition for the events it applies to. A breakdown leaves out all others. */
  readonly only?: string;
  /** Whether one event has several of its values: its SQL makes a row of each, so no filter can test it. */
  readonly isMany?: true;
};

/**
 * A dimension of payments, over rows of `payments` or of the payer's last visit. Only metrics of payments can be
 * broken down by it.
 */
export type PaymentDimension = ValueDimension<'payment'> & {
  /** Undefined if the payment itself has the value. */
  readonly foundIn?: 'last visit';
};

/** A dimension of visitors, over the row of `visits` of each visitor's first visit ever. */
export type VisitorDimension = ValueDimension<'visitor', ScopedSql> & OfCosts;

/** What a dimension is of a cost, which has a source and no visit: SQL over a row of `costs`. Undefined if it is nothing. */
type OfCosts = { readonly ofCosts?: ScopedSql };

/** A dimension of time: buckets of the period, by the start of the visit or the time of the event. */
export type TimeDimension<Unit = BucketUnit | 'any'> = {
  readonly of: 'time';
  readonly name: string;
  /** `any` means the unit that suits the period. */
  readonly unit: Unit;
};

/** Several dimensions, each on its own: a row's dimension, by name, or its value. */
export type EachDimension = {
  readonly of: 'each';
  readonly name: 'dimension' | 'value';
  readonly each: readonly VisitDimension[];
};

/** A dimension for breakdowns and filters. */
export type Dimension =
  | EachDimension
  | VisitDimension
  | EventDimension
  | PaymentDimension
  | VisitorDimension
  | TimeDimension<BucketUnit>;

/** A dimension as the table lists it: `time` has no unit until the period is known. */
export type ListedDimension = FilteredDimension | TimeDimension;

/** A dimension that a filter can test. */
export type FilteredDimension = Exclude<Dimension, TimeDimension<BucketUnit> | EachDimension>;

/** A dimension without its name. */
export type Definition =
  | Omit<VisitDimension, 'name'>
  | Omit<EventDimension, 'name'>
  | Omit<PaymentDimension, 'name'>
  | Omit<VisitorDimension, 'name'>
  | Omit<TimeDimension, 'name'>;

/** Binds a value to a statement. Returns its placeholder in the SQL: `{p0:String}`. */
export type Bind = (
  value: string | number | readonly string[] | readonly number[],
  type: string,
) => string;

/**
 * SQL for a column, with a label for empty values.
 *
 * Why not `if`: this evaluates each dictionary entry once, and keeps the dictionary encoding.
 */
export function named(sql: string, whenEmpty: string = NONE): string {
  return `transform(${sql}, [''], ['${whenEmpty}'])`;
}

/** SQL for a time zone by the engine's name: an IANA name as the engine spells it, or `Fixed/UTC+05:30:00`. */
export function zoneSql(timeZone: string, bind: Bind): string {
  const { timeZoneId } = new Temporal.ZonedDateTime(0n, timeZone);
  const isOffset = /^[+-]/.test(timeZoneId);
  return bind(isOffset ? `Fixed/UTC${timeZoneId}:00` : timeZoneId, 'String');
}

/** SQL for a dimension's value in a row of its table. */
export function valueSql({ sql }: FilteredDimension, scope: ValueScope, bind: Bind): string {
  return typeof sql === 'string' ? sql : sql(bind, scope);
}

/** SQL for a dimension's value in a row of `costs`; undefined if costs have none. */
export function costValueSql(
  dimension: Dimension,
  scope: ValueScope,
  bind: Bind,
): string | undefined {
  if (!('ofCosts' in dimension) || dimension.ofCosts === undefined) return undefined;
  const { ofCosts: sql } = dimension;
  return typeof sql === 'string' ? sql : sql(bind, scope);
}

/** Defines a dimension of visits. */
export const visit = definitionsOf<VisitDimension>('visit');
/** Defines a dimension of the events that match `only`. */
export const event = definitionsOf<EventDimension>('event');
/** Defines a dimension of payments. */
export const payment = definitionsOf<PaymentDimension>('payment');
/** Defines a dimension of visitors. */
export const visitor = definitionsOf<VisitorDimension>('visitor');
/** Defines a dimension of time. */
export const time = (unit: TimeDimension['unit']) => ({ of: 'time', unit }) as const;

function definitionsOf<Kind extends FilteredDimension>(of: Kind['of']) {
  return (sql: Kind['sql'], more?: Omit<Kind, 'of' | 'name' | 'sql'>) =>
    ({ of, sql, ...more }) as Omit<Kind, 'name'>;
}
