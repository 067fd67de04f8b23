import { assert } from '#domain/assert.ts';
import type { Bind, Dimension, EventDimension, VisitDimension } from '../../dimension.ts';
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

/** SQL that holds for rows of the site. */
export function ofSite({ site }: Pick<Scope, 'site'>, bind: Bind): string {
  return `site_id = ${bind(site.id, 'String')}`;
}

/** SQL that holds for rows of the site whose instant lies in the period. */
export function within(column: string, scope: Pick<Scope, 'site' | 'period'>, bind: Bind): string {
  const { startsAt, endsAt } = scope.period;
  return `${ofSite(scope, bind)} AND ${column} >= ${instant(startsAt, bind)} AND ${column} < ${instant(endsAt, bind)}`;
}

/** SQL that holds for what people did; for all there is where bots count, too. */
export function byPeople({ countsBots }: Scope): string {
  return countsBots ? '1' : "bot_class = ''";
}

/** Columns `v0, v1, …` with the values of visit dimensions, over rows of `visits`. */
export function visitColumns(
  dimensions: readonly VisitDimension[],
  { site }: Scope,
  bind: Bind,
): string {
  return dimensions
    .map((dimension, index) => `, ${visitValueSql(dimension, site, bind)} AS v${index}`)
    .join('');
}

/** SQL of a dimension's value over a row of `visits`. */
export function visitValueSql({ sql }: VisitDimension, site: Scope['site'], bind: Bind): string {
  return typeof sql === 'string' ? sql : sql(site, bind);
}

/** The column of a dimension's value among those that a fact's rows have. */
export function columnOf(values: Values, { name, of }: Exclude<Dimension, { of: 'time' }>): string {
  const place = (own: readonly { readonly name: string }[]) =>
    own.findIndex((each) => each.name === name);
  const isOfLastVisit = place(values.lastVisit) >= 0;
  const [prefix, own] =
    of === 'payment' && isOfLastVisit ? (['w', values.lastVisit] as const) : PREFIXED[of](values);
  assert(place(own) >= 0, `the plan has ${name}`);
  return `${prefix}${place(own)}`;
}

const PREFIXED = {
  visit: ({ visit }: Values) => ['v', visit] as const,
  event: ({ event }: Values) => ['e', event] as const,
  visitor: ({ visitor }: Values) => ['u', visitor] as const,
  payment: ({ payment }: Values) => ['y', payment] as const,
};

/** SQL that holds for events of the dimensions for which the filter, of events alone, holds. */
export function eventCondition(
  dimensions: readonly EventDimension[],
  filter: Filter,
  bind: Bind,
): string {
  return all(
    COUNTED_EVENTS,
    ...dimensions.map((dimension) => dimension.only),
    toCondition(filter, {
      toValue(dimension) {
        assert(dimension.of === 'event', 'only tests of events choose events');
        return dimension.sql(bind);
      },
      bind,
    }),
  );
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
