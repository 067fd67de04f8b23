import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { toOwnName } from '#contract/plausible-names.ts';
import { assert } from '#domain/assert.ts';
import type { DimensionFamily, ListedDimension } from './dimension.ts';
import type { Metric } from './metric.ts';

/**
 * All metrics and dimensions by name: the files of the folders metrics/ and dimensions/.
 *
 * Why it reads the folders: adding a metric or dimension is adding one file.
 */
export const METRICS: ReadonlyMap<string, Metric> = byName(exportsOf<Metric>('./metrics/'));

const listed = exportsOf<ListedDimension | DimensionFamily>('./dimensions/');
const families = listed.filter((entry) => entry.of === 'family');
const dimensions: ReadonlyMap<string, ListedDimension> = byName(
  listed.filter((entry) => entry.of !== 'family'),
);

/** The names of all dimensions. Families have a placeholder: `event:props:NAME`. */
export const DIMENSION_NAMES: readonly string[] = listed.map((entry) => entry.name).toSorted();

/** Finds a metric by its name or by Plausible's name for it. The result keeps the given name. */
export function findMetric(name: string): Metric | undefined {
  return named(name, (own) => METRICS.get(own));
}

/** Finds a dimension by its name or by Plausible's name for it, including members of families. The result keeps the given name. */
export function findDimension(name: string): ListedDimension | undefined {
  return named(name, (own) => {
    const family = families.find((each) => own.startsWith(each.name.replace('NAME', '')));
    return dimensions.get(own) ?? family?.member(own.slice(family.name.length - 'NAME'.length));
  });
}

function named<T extends { readonly name: string }>(
  name: string,
  find: (own: string) => T | undefined,
): T | undefined {
  const own = toOwnName(name);
  const found = find(own);
  return found === undefined || own === name ? found : { ...found, name };
}

function byName<T extends { readonly name: string }>(
  entries: readonly T[],
): ReadonlyMap<string, T> {
  const map = new Map(entries.map((entry) => [entry.name, entry]));
  assert(map.size === entries.length, 'every name is there once');
  return map;
}

/**
 * The single export of each file below a folder, ordered by file name.
 *
 * Why not `import()`: modules with top-level await cannot be loaded synchronously.
 */
function exportsOf<T>(folder: string): T[] {
  const load = createRequire(import.meta.url);
  const url = new URL(folder, import.meta.url);
  const files = readdirSync(url, { encoding: 'utf8', recursive: true }).filter((file) =>
    /(?<!\.test)\.ts$/.test(file),
  );
  return files.toSorted().map((file) => {
    const [only, ...others] = Object.values(load(fileURLToPath(new URL(file, url))) as object);
    assert(only !== undefined && others.length === 0, `${folder}${file} has one export`);
    return only as T;
  });
}
