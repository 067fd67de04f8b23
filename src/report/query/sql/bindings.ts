import type { Bind } from '../../dimension.ts';

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
