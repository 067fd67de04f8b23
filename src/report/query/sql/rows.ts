import type { Period } from '#domain/time/period.ts';
import type { Bind, Dimension, VisitDimension } from '../../dimension.ts';
import { filteredDimensions } from '../filter.ts';
import type { Query } from '../query.ts';

/** The visit of events that belong to none. */
export const NO_VISIT = "toUUID('00000000-0000-0000-0000-000000000000')";

/** Reports of the tracker about visible time and scrolling. */
export const ATTENTION = '(engagement_ms > 0 OR scroll_depth > 0)';

/** A lookback day: always 24 hours, whatever the clocks of a zone do. */
export const DAY_MS = 86_400_000;

/** One fact as SQL: what stands behind FROM, and the value of a dimension over its rows. */
export type FactSql = {
  readonly from: string;
  readonly where: string;
  readonly toValue: (dimension: Dimension) => string;
};

/** SQL of an instant, from milliseconds. */
export function instant(at: number, bind: Bind): string {
  return `fromUnixTimestamp64Milli(${bind(at, 'Int64')}, 'UTC')`;
}

/** SQL that holds for rows of the site whose instant lies in the period. */
export function within(column: string, query: Query, bind: Bind): string {
  const { startsAt, endsAt }: Period = query.period;
  return (
    `site_id = ${bind(query.site.id, 'String')}` +
    ` AND ${column} >= ${instant(startsAt, bind)} AND ${column} < ${instant(endsAt, bind)}`
  );
}

/** Throws: a query that breaks anything but payments down by their dimensions was refused. */
export function notOfPayments(): never {
  throw new Error('only payments have dimensions of payments');
}

/** The dimensions of visits that a query breaks down or filters by, each once. */
export function visitDimensions({ dimensions, filter }: Query): VisitDimension[] {
  const named = new Map([...dimensions, ...filteredDimensions(filter)].map((d) => [d.name, d]));
  return [...named.values()].filter((dimension) => dimension.of === 'visit');
}

/** Columns `v0, v1, …` with the values of visit dimensions, over rows of `visits`, each as `form` of it. */
export function visitColumns(
  dimensions: readonly VisitDimension[],
  { site }: Query,
  bind: Bind,
  form = '',
): string {
  const toSql = ({ sql }: VisitDimension) => (typeof sql === 'string' ? sql : sql(site, bind));
  return dimensions
    .map((dimension, index) => `, ${form}(${toSql(dimension)}) AS v${index}`)
    .join('');
}

/** SQL that holds for what people did; for all there is in a query that tells bots apart. */
export function byPeople(query: Query): string {
  const tellsBots = visitDimensions(query).some((dimension) => dimension.tellsBots === true);
  return tellsBots ? '1' : "bot_class = ''";
}

/** Where a visit dimension stands among the columns `v0, v1, …`. */
export function visitColumn(dimensions: readonly VisitDimension[], wanted: Dimension): string {
  return `v${dimensions.findIndex((dimension) => dimension.name === wanted.name)}`;
}

/**
 * Whether a metric of the query is counted from a column that costs something to have.
 *
 * Why the text is looked at: a metric's file says what it counts in one place only.
 */
export function usesColumn({ metrics }: Query, column: string): boolean {
  const parts = metrics.flatMap((metric) => Object.values(metric.parts));
  return parts.some((part) => `${part.sql} ${part.byEvent?.sql}`.includes(column));
}

/** SQL that joins conditions that must all hold. */
export function all(...conditions: readonly (string | undefined)[]): string {
  return conditions
    .filter((condition) => condition !== undefined && condition !== '1')
    .join(' AND ');
}

/** Names of columns, counted from 0: `d0, d1, …`. */
export function columns(prefix: string, entries: readonly unknown[]): string[] {
  return entries.map((_, index) => `${prefix}${index}`);
}
