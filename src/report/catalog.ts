import { toOwnName } from '#contract/plausible-names.ts';
import { METRIC_FORMS, type MetricName } from '#contract/reports/catalog.ts';
import { NONE } from '#domain/row-labels.ts';
import { type Definition, event, type ListedDimension } from './dimension.ts';
import { DIMENSION_TABLE } from './dimensions.ts';
import type { Metric } from './metric.ts';
import { METRIC_TABLE } from './metrics.ts';

/** All metrics by name. */
export const METRICS: ReadonlyMap<string, Metric> = new Map(
  Object.entries(METRIC_FORMS).map(([name, { unit }]) => {
    return [name, { name, unit, parts: METRIC_TABLE[name as MetricName] }];
  }),
);

const DIMENSIONS: ReadonlyMap<string, Definition> = new Map(Object.entries(DIMENSION_TABLE));
const PROPERTY = 'event:props:';

/** The names of all dimensions. The custom parameters have a placeholder: `event:props:NAME`. */
export const DIMENSION_NAMES: readonly string[] = [
  ...DIMENSIONS.keys(),
  `${PROPERTY}NAME`,
].toSorted();

/** Finds a metric by its name or by Plausible's name for it. The result keeps the given name. */
export function findMetric(name: string): Metric | undefined {
  return withGivenName(name, (own) => METRICS.get(own));
}

/** Finds a dimension by its name or by Plausible's name for it, including custom parameters. The result keeps the given name. */
export function findDimension(name: string): ListedDimension | undefined {
  return withGivenName(name, findListed);
}

function findListed(name: string): ListedDimension | undefined {
  const found = DIMENSIONS.get(name);
  return found === undefined ? findProperty(name) : { name, ...found };
}

/** Value of a custom parameter of the event: `event:props:plan`; `(none)` for events without it. */
function findProperty(name: string): ListedDimension | undefined {
  const property = name.startsWith(PROPERTY) ? name.slice(PROPERTY.length) : '';
  if (!/^[a-z0-9_-]{1,64}$/.test(property)) return undefined;
  const value = event((bind) => {
    const key = bind(property, 'String');
    return `if(mapContains(props, ${key}), props[${key}], '${NONE}')`;
  });
  return { name, ...value };
}

function withGivenName<T extends { readonly name: string }>(
  name: string,
  find: (own: string) => T | undefined,
): T | undefined {
  const own = toOwnName(name);
  const found = find(own);
  return found === undefined || own === name ? found : { ...found, name };
}
