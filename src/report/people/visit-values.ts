import { assert } from '#domain/assert.ts';
import { DIMENSION_NAMES, findDimension } from '../catalog.ts';
import { type Bind, type ValueScope, valueSql } from '../dimension.ts';

/** What says where a visit came from. */
export const ORIGIN = ['source', 'medium', 'campaign', 'channel', 'referrer', 'entry_page'];

/** What says where its visitor was, and with what. */
export const CLIENT = ['country', 'region', 'city', 'device', 'browser', 'os'];

/** Everything that a visit is described by: all dimensions of visits but those of bots, and one of each country. */
export const VISIT_VALUES: readonly string[] = DIMENSION_NAMES.filter((name) =>
  /^visit:(?!bot|country_name)/.test(name),
).map((name) => name.slice('visit:'.length));

/**
 * SQL of a map of values of a visit, by their names, over rows of `visits FINAL`.
 *
 * - Shape: as dimensions have them, so that they can be put into a filter: `Direct`, `(none)`.
 */
export function visitValuesSql(names: readonly string[], scope: ValueScope, bind: Bind): string {
  const pairs = names.map((name) => {
    const dimension = findDimension(`visit:${name}`);
    assert(dimension?.of === 'visit', `visit:${name} is a dimension of visits`);
    return `'${name}', toString(${valueSql(dimension, scope, bind)})`;
  });
  return `map(${pairs.join(', ')})`;
}
