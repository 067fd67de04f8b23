import { VISIT, withFurtherTouches } from '#contract/rows/visit-row.ts';
import { assert } from '#domain/assert.ts';
import { UNATTRIBUTED } from '#domain/row-labels.ts';
import { type Bind, type Dimension, type FilteredDimension, valueSql } from '../../dimension.ts';
import type { Filter } from '../filter.ts';
import type { Scope, Values } from '../plan/plan.ts';
import { toCondition } from './condition.ts';

/** Events by visitors that count: all but the tracker's reports of time and scrolling. */
export const COUNTED_EVENTS = "type IN ('pageview', 'goal', 'outbound', 'download')";

/** The tracker's reports of visible time and scrolling. */
export const ATTENTION = '(engagement_ms > 0 OR scroll_depth > 0)';

/** One fact as SQL: its FROM clause, and the condition for its rows. */
export type FactSql = { readonly from: string; readonly where: string };

/** SQL condition for rows of `payments` that are a trial: of each subscription, the first payment of 0 ever. */
export function isTrial(scope: OfSite, bind: Bind): string {
  return `(kind = 'payment' AND transaction_id IN (
    SELECT argMin(transaction_id, (occurred_at, transaction_id)) FROM payments FINAL
    WHERE ${ofSite(scope, bind)} AND kind = 'payment' AND amount_minor = 0
    GROUP BY subscription_id, if(subscription_id = '', transaction_id, '')))`;
}

/** From one instant up to another, exclusive. Milliseconds since 1970, UTC. */
type Span = { readonly startsAt: number; readonly endsAt: number };

type OfSite = { readonly site: { readonly id: string } };

/** SQL for an instant, from milliseconds. */
export function instant(at: number, bind: Bind): string {
  return `fromUnixTimestamp64Milli(${bind(at, 'Int64')}, 'UTC')`;
}

/** SQL condition for rows of the site. */
export function ofSite({ site }: OfSite, bind: Bind): string {
  return `site_id = ${bind(site.id, 'String')}`;
}

/** SQL condition for rows of the site in the period. */
export function within(
  column: string,
  scope: OfSite & { readonly period: Span },
  bind: Bind,
): string {
  return all(ofSite(scope, bind), inSpan(column, scope.period, bind));
}

/** SQL condition for instants from one up to another, exclusive. An end may be infinite. */
function inSpan(column: string, { startsAt, endsAt }: Span, bind: Bind): string {
  return all(
    Number.isFinite(startsAt) ? `${column} >= ${instant(startsAt, bind)}` : undefined,
    Number.isFinite(endsAt) ? `${column} < ${instant(endsAt, bind)}` : undefined,
  );
}

/** SQL condition for rows of `events` by people; for all rows if bots count too. */
export function byPeople({ countsBots }: Scope): string {
  return countsBots ? '1' : "bot_class = ''";
}

/** The same over rows of `visits`. */
export function visitsOfPeople({ countsBots }: Scope): string {
  return countsBots ? '1' : `${VISIT.bot_class} = ''`;
}

/** SQL for columns with the values of dimensions, named by prefix: `, … AS v0, … AS v1`. */
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

/** The column with a dimension's value in a fact's rows. */
export function columnOf(values: Values, dimension: Dimension): string {
  if (dimension.of === 'time') return 'at';
  const columns = PREFIXES.flatMap(([kind, prefix]) =>
    values[kind].map(({ name }, index) => ({ name, column: `${prefix}${index}` })),
  );
  const own = columns.find(({ name }) => name === dimension.name);
  assert(own !== undefined, `the plan has ${dimension.name}`);
  return own.column;
}

/** The same over rows joined with their visits, if `known` is set. */
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

/** SQL condition for events that count and match the filter, which only tests events. */
export function eventCondition(filter: Filter, scope: Scope, bind: Bind): string {
  const toValue = (dimension: FilteredDimension) => valueSql(dimension, scope, bind);
  return all(COUNTED_EVENTS, toCondition(filter, { toValue, bind }));
}

/** SQL for the events that a breakdown covers. */
export function onlyOfKeys(keys: readonly Dimension[]): (string | undefined)[] {
  return keys.map((dimension) => (dimension.of === 'event' ? dimension.only : undefined));
}

/** SQL that joins conditions that must all hold. */
export function all(...conditions: readonly (string | undefined)[]): string {
  return conditions
    .filter((condition) => condition !== undefined && condition !== '' && condition !== '1')
    .join(' AND ');
}

/** Column names, numbered from 0: `d0, d1, …`. */
export function columns(prefix: string, entries: readonly unknown[]): string[] {
  return entries.map((_, index) => `${prefix}${index}`);
}

/** SQL for an array of the rows with these columns: it is computed once, wherever a statement reads it. */
export function arraySql(rows: string, names: readonly string[]): string {
  return `SELECT groupArray(tuple(${names.join(', ')})) FROM (${rows})`;
}

/** SQL for the rows of such an array. */
export function fromArraySql(array: string, names: readonly string[]): string {
  const values = names.map((name, index) => `row.${index + 1} AS ${name}`);
  return `SELECT ${values.join(', ')} FROM (SELECT arrayJoin(${array}) AS row)`;
}

/** Which visits to read, and what. */
type VisitRows = {
  /** SQL for columns over a row of `visits`: `visit_id, pageviews`. */
  readonly columns: string;
  /** SQL condition over the same. */
  readonly where: string;
  /** When they began; undefined for any time. */
  readonly period?: Span;
  /** A selective SQL condition, part of `where`, by which to look up visits that must be merged. */
  readonly byKey?: string;
  /** Whether each further touch of a visit has a row, too. */
  readonly hasTouches?: boolean;
};

/** SQL for visits of the query's site, each once, or each of their touches. */
export function visitRowsSql(
  scope: Scope,
  bind: Bind,
  { columns, where, period, byKey, hasTouches = false }: VisitRows,
): string {
  const isOf = all(ofSite(scope, bind), period && inSpan('visit_started_at', period, bind));
  const isKey =
    byKey &&
    `(visit_started_at, visit_id) IN (
      SELECT visit_started_at, visit_id FROM visits WHERE ${all(isOf, byKey)})`;
  const visits = `visits FINAL
    WHERE ${all(isOf, isKey, where)}`;
  return `
    SELECT ${columns} FROM ${hasTouches ? `(${withFurtherTouches(visits, columns)})` : visits}`;
}

/**
 * Creates the values bound to one statement, initially none; `bind` adds them.
 *
 * Why values never appear in the SQL itself: callers' input must not be parsed as SQL.
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
