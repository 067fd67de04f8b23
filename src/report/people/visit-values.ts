import { assert } from '#domain/assert.ts';
import { findDimension } from '../catalog.ts';
import type { Bind } from '../dimension.ts';
import type { ReportSite } from '../ports.ts';

/** What says where a visit came from. */
export const ORIGIN = [
  'source',
  'medium',
  'campaign',
  'channel',
  'referrer',
  'entry_page',
] as const;

/** What says where its visitor was, and with what. */
export const CLIENT = ['country', 'region', 'city', 'device', 'browser', 'os'] as const;

/** Everything that a visit is told by. */
export const VISIT_VALUES = [
  ...ORIGIN,
  ...CLIENT,
  ...([
    'term',
    'content',
    'click_id',
    'exit_page',
    'browser_version',
    'os_version',
    'language',
    'screen_size',
  ] as const),
] as const;

/** One of {@link VISIT_VALUES}. */
export type VisitValue = (typeof VISIT_VALUES)[number];

/**
 * SQL of values of visits, over rows of `visits FINAL`: columns `of_source, …`.
 *
 * - Shape: as dimensions have them, so that they can be put into a filter: `Direct`, `(none)`.
 */
export function visitValuesSql(names: readonly VisitValue[], site: ReportSite, bind: Bind): string {
  return names
    .map((name) => {
      const dimension = findDimension(`visit:${name}`);
      assert(dimension?.of === 'visit', `visit:${name} is a dimension of visits`);
      const { sql } = dimension;
      return `${typeof sql === 'string' ? sql : sql(site, bind)} AS of_${name}`;
    })
    .join(', ');
}

/** The values of a row by their names; columns are called as the names behind `prefix`. */
export function toVisitValues(
  row: Readonly<Record<string, unknown>>,
  names: readonly VisitValue[],
  prefix = 'of_',
): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, String(row[`${prefix}${name}`])]));
}
