import type { Fault } from '#contract/fault.ts';
import { ok, type Result, refuse } from '#domain/result.ts';
import { DIMENSION_NAMES, findDimension } from './catalog.ts';
import type { Comparison, Filter } from './filter.ts';

const COMPARISONS = ['is', 'is_not', 'contains', 'contains_not'] as const;
const DEPTH_MAX = 8;
const COMPARISONS_MAX = 100;
const VALUES_MAX = 1_000;

/**
 * The filter that a question's `filters` mean together: all of them must hold.
 *
 * - Refuses what it does not understand with every fault found, and filters past the limits: 100
 *   comparisons of 1,000 values in all, 8 levels deep.
 */
export function parseFilters(filters: readonly unknown[]): Result<Filter, readonly Fault[]> {
  const faults: Fault[] = [];
  const of = filters.flatMap((entry, index) => {
    const parsed = parseEntry(entry, { path: `/filters/${index}`, depth: 1, faults });
    return parsed === undefined ? [] : [parsed];
  });
  if (faults.length > 0) return refuse(faults);
  const filter: Filter = { op: 'and', of };
  const comparisons = comparisonsOf(filter);
  const values = comparisons.reduce((sum, comparison) => sum + comparison.values.length, 0);
  if (comparisons.length > COMPARISONS_MAX || values > VALUES_MAX) {
    const message = `A question has at most ${COMPARISONS_MAX} comparisons of ${VALUES_MAX} values in all.`;
    return refuse([{ path: '/filters', message }]);
  }
  return ok(filter);
}

type Place = { readonly path: string; readonly depth: number; readonly faults: Fault[] };

/** A fault is noted at its place and leaves `undefined`. */
function parseEntry(entry: unknown, place: Place): Filter | undefined {
  if (!Array.isArray(entry))
    return fault(place, 'A filter is an array, [operator, dimension, values].');
  if (place.depth > DEPTH_MAX)
    return fault(place, `Filters nest at most ${DEPTH_MAX} levels deep.`);
  const [op, first, second] = entry as readonly unknown[];
  if (op === 'and' || op === 'or') {
    return entry.length === 2 ? parseJoined(op, first, place) : fault(place, `["${op}", filters]`);
  }
  if (op === 'not') {
    if (entry.length !== 2) return fault(place, '["not", filter]');
    const of = parseEntry(first, below(place, 1));
    return of === undefined ? undefined : { op, of };
  }
  const comparison = COMPARISONS.find((known) => known === op);
  if (comparison === undefined) {
    const known = [...COMPARISONS, 'and', 'or', 'not'].join(', ');
    return fault(below(place, 0), `${quote(op)} is not an operator. Known: ${known}.`);
  }
  if (entry.length !== 3) return fault(place, `["${comparison}", dimension, values]`);
  return parseComparison(comparison, first, second, place);
}

function parseJoined(op: 'and' | 'or', entries: unknown, place: Place): Filter | undefined {
  if (!Array.isArray(entries) || entries.length === 0) {
    return fault(below(place, 1), `"${op}" joins a list of at least one filter.`);
  }
  const of = entries.flatMap((entry, index) => {
    const { path, depth, faults } = below(place, 1);
    const parsed = parseEntry(entry, { path: `${path}/${index}`, depth, faults });
    return parsed === undefined ? [] : [parsed];
  });
  return { op, of };
}

function parseComparison(
  op: Comparison['op'],
  name: unknown,
  values: unknown,
  place: Place,
): Filter | undefined {
  const dimension = typeof name === 'string' ? findDimension(name) : undefined;
  if (dimension === undefined) {
    return fault(below(place, 1), unknownDimension(name));
  }
  if (dimension.of === 'time') {
    return fault(below(place, 1), 'Time is narrowed by date_range, not by a filter.');
  }
  if (!isTexts(values)) {
    return fault(
      below(place, 2),
      'Values are a list of at least one text, each at most 2048 long.',
    );
  }
  return { op, dimension, values };
}

/** What to tell someone who named a dimension that is not there. */
export function unknownDimension(name: unknown): string {
  return `${quote(name)} is not a dimension. Known: ${DIMENSION_NAMES.join(', ')}.`;
}

function isTexts(values: unknown): values is readonly string[] {
  return (
    Array.isArray(values) &&
    values.length > 0 &&
    values.every((value) => typeof value === 'string' && value.length <= 2048)
  );
}

function comparisonsOf(filter: Filter): readonly Comparison[] {
  switch (filter.op) {
    case 'and':
    case 'or':
      return filter.of.flatMap(comparisonsOf);
    case 'not':
      return comparisonsOf(filter.of);
    case 'is':
    case 'is_not':
    case 'contains':
    case 'contains_not':
      return [filter];
  }
}

function below(place: Place, index: number): Place {
  return { path: `${place.path}/${index}`, depth: place.depth + 1, faults: place.faults };
}

function fault({ path, faults }: Place, message: string): undefined {
  faults.push({ path, message });
}

function quote(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 100)) : 'This';
}
