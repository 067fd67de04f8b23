import { assert } from '#domain/assert.ts';
import { DIMENSION_NAMES, findDimension } from '../catalog.ts';
import { type Bind, type ValueScope, valueSql } from '../dimension.ts';

/** Dimensions that describe where a visit came from. */
export const ORIGIN = ['source', 'medium', 'campaign', 'channel', 'referrer', 'entry_page'];

/** Dimensions that describe the visitor's location and device. */
export const CLIENT = ['country', 'region', 'city', 'device', 'browser', 'os'];

/** All dimensions that describe a visit: those of visits without the bot dimensions and country names. */
export const VISIT_VALUES: readonly string[] = DIMENSION_NAMES.filter((name) =>
  /^visit:(?!bot|country_name)/.test(name),
).map((name) => name.slice('visit:'.length));

/**
 * SQL for a map of a visit's values by name, over rows of `visits FINAL`.
 *
 * - Shape: labels are as in breakdowns (`Direct`, `(none)`), so that they can be used in filters.
 */
export function visitValuesSql(names: readonly string[], scope: ValueScope, bind: Bind): string {
  const pairs = names.map((name) => {
    const dimension = findDimension(`visit:${name}`);
    assert(dimension?.of === 'visit', `visit:${name} is a dimension of visits`);
    return `'${name}', toString(${valueSql(dimension, scope, bind)})`;
  });
  return `map(${pairs.join(', ')})`;
}
