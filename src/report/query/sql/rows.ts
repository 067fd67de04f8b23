import { VISIT } from '#contract/rows/visit-row.ts';
import { assert } from '#domain/assert.ts';
import {
  type Bind,
  type Dimension,
  type FilteredDimension,
  UNATTRIBUTED,
  valueSql,
} from '../../dimension.ts';
import type { Filter } from '../filter.ts';
import type { Scope, Values } from '../plan/plan.ts';
import { toCondition } from './condition.ts';

/** The visit of events that belong to none. */
export const NO_VISIT = "toUUID('00000000-0000-0000-0000-000000000000')";

/** What visitors do themselves: the events that count, without the tracker's reports of time and scrolling. */
export const COUNTED_EVENTS = "type IN ('pageview', 'goal', 'outbound', 'download')";

/** Reports of the tracker about visible time and scrolling. */
export const ATTENTION = '(engagement_ms > 0 OR scroll_depth > 0)';

/** A lookback day: always 24 hours, whatever the clocks of a zone do. */
export const DAY_MS = 86_400_000;

/** One fact as SQL: what stands behind FROM, and which of its rows are meant. */
export type FactSql = { readonly from: string; readonly where: string };

/** From one instant up to another, which is left out. Milliseconds since 1970, UTC. */
type Span = { readonly startsAt: number; readonly endsAt: number };

/** SQL of an instant, from milliseconds. */
export function instant(at: number, bind: Bind): string {
  return `fromUnixTimestamp64Milli(${bind(at, 'Int64')}, 'UTC')`;
}

/** SQL that holds for rows of the site. */
export function ofSite({ site }: Pick<Scope, 'site'>, bind: Bind): string {
  return `site_id = ${bind(site.id, 'String')}`;
}

/** SQL that holds for rows of the site whose instant lies in the period. */
export function within(column: string, scope: Pick<Scope, 'site' | 'period'>, bind: Bind): string {
  return all(ofSite(scope, bind), inSpan(column, scope.period, bind));
}

/** SQL that holds for instants from one up to another, which is left out. An end may be infinite. */
function inSpan(column: string, { startsAt, endsAt }: Span, bind: Bind): string {
  return all(
    Number.isFinite(startsAt) ? `${column} >= ${instant(startsAt, bind)}` : undefined,
    Number.isFinite(endsAt) ? `${column} < ${instant(endsAt, bind)}` : undefined,
  );
}

/** SQL that holds for rows of `events` that people caused; for all rows where bots count too. */
export function byPeople({ countsBots }: Scope): string {
  return countsBots ? '1' : "bot_class = ''";
}

/** The same over rows of `visits`. */
export function visitsOfPeople({ countsBots }: Scope): string {
  return countsBots ? '1' : `${VISIT.bot_class} = ''`;
}

/** SQL of columns with the values of dimensions, named by a prefix: `, … AS v0, … AS v1`. */
export function valueColumns(
  prefix: string,
  dimensions: readonly FilteredDimension[],
  scope: Scope,
  bind: Bind,
): string {
  return dimensions
    .map((dimension, index) => `, ${valueSql(dimension, scope, bind)} AS ${prefix}${index}`)
    .join('');
}

/** The column of a dimension's value among those that a fact's rows have. */
export function columnOf(values: Values, dimension: Dimension): string {
  if (dimension.of === 'time') return 'at';
  const columns = PREFIXES.flatMap(([kind, prefix]) =>
    values[kind].map(({ name }, index) => ({ name, column: `${prefix}${index}` })),
  );
  const own = columns.find(({ name }) => name === dimension.name);
  assert(own !== undefined, `the plan has ${dimension.name}`);
  return own.column;
}

/** The same over rows joined with their visits, where `known` says that there is one. */
export function columnOfVisit(values: Values, dimension: Dimension): string {
  const column = columnOf(values, dimension);
  return dimension.of === 'visit' ? `if(known = 1, ${column}, '${UNATTRIBUTED}')` : column;
}

/** As {@link Values} has them. */
const PREFIXES = [
  ['visit', 'v'],
  ['event', 'e'],
  ['visitor', 'u'],
  ['payment', 'y'],
  ['lastVisit', 'w'],
] as const;

/** SQL that holds for events that count and for which the filter, of events alone, holds. */
export function eventCondition(filter: Filter, scope: Scope, bind: Bind): string {
  const toValue = (dimension: FilteredDimension) => valueSql(dimension, scope, bind);
  return all(COUNTED_EVENTS, toCondition(filter, { toValue, bind }));
}

/** SQL of which events a breakdown is of. */
export function onlyOfKeys(keys: readonly Dimension[]): (string | undefined)[] {
  return keys.map((dimension) => (dimension.of === 'event' ? dimension.only : undefined));
}

/** SQL that joins conditions that must all hold. */
export function all(...conditions: readonly (string | undefined)[]): string {
  return conditions
    .filter((condition) => condition !== undefined && condition !== '' && condition !== '1')
    .join(' AND ');
}

/** Names of columns, counted from 0: `d0, d1, …`. */
export function columns(prefix: string, entries: readonly unknown[]): string[] {
  return entries.map((_, index) => `${prefix}${index}`);
}

/** Which visits, and what of each. */
type VisitRows = {
  /** SQL of columns over a row of `visits`: `visit_id, pageviews`. */
  readonly columns: string;
  /** SQL of a condition over the same. */
  readonly where: string;
  /** When they began; left out, whenever they did. */
  readonly period?: Span;
  /** SQL of a condition that few meet, part of `where`: by it visits are looked up that must be merged. */
  readonly byKey?: string;
};

/** SQL of rows of visits of the query's site, each visit once. */
export function visitRowsSql(
  scope: Scope,
  bind: Bind,
  { columns, where, period, byKey }: VisitRows,
): string {
  const isOf = all(ofSite(scope, bind), period && inSpan('visit_started_at', period, bind));
  const isKey =
    byKey &&
    `(visit_started_at, visit_id) IN (
      SELECT visit_started_at, visit_id FROM visits WHERE ${all(isOf, byKey)})`;
  return `
    SELECT ${columns} FROM visits FINAL
    WHERE ${all(isOf, isKey, where)}`;
}

/** SQL of a time zone by the engine's name for it: an IANA name in its own spelling, or `Fixed/UTC+05:30:00`. */
export function zoneSql(timeZone: string, bind: Bind): string {
  const { timeZoneId } = new Temporal.ZonedDateTime(0n, timeZone);
  const isOffset = /^[+-]/.test(timeZoneId);
  return bind(isOffset ? `Fixed/UTC${timeZoneId}:00` : timeZoneId, 'String');
}

/**
 * The values bound to one statement: none yet; `bind` adds them.
 *
 * Why values never stand in the SQL itself: what a caller sends must not be read as SQL.
 */
export function createBindings(): {
  readonly bind: Bind;
  readonly params: Readonly<Record<string, unknown>>;
} {
  const params: Record<string, unknown> = {};
  const placesByValue = new Map<string, string>();
  return {
    params,
    bind(value, type) {
      const key = `${type} ${JSON.stringify(value)}`;
      const known = placesByValue.get(key);
      if (known !== undefined) return known;
      const name = `p${placesByValue.size}`;
      const place = `{${name}:${type}}`;
      params[name] = value;
      placesByValue.set(key, place);
      return place;
    },
  };
}
