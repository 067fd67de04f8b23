import type { Fault } from '#contract/fault.ts';
import { ok, type Result, refuse } from '#domain/result.ts';
import { DIMENSION_NAMES, findDimension } from '../../catalog.ts';
import {
  type Behaviour,
  type Comparison,
  comparisonsOf,
  type Filter,
  isAboutEvents,
} from '../filter.ts';

const COMPARISONS: ReadonlyMap<unknown, Pick<Comparison, 'by' | 'isNegated'>> = new Map([
  ['is', { by: 'is', isNegated: false }],
  ['is_not', { by: 'is', isNegated: true }],
  ['contains', { by: 'contains', isNegated: false }],
  ['contains_not', { by: 'contains', isNegated: true }],
  ['matches', { by: 'matches', isNegated: false }],
  ['matches_not', { by: 'matches', isNegated: true }],
  ['matches_wildcard', { by: 'matches_wildcard', isNegated: false }],
  ['matches_wildcard_not', { by: 'matches_wildcard', isNegated: true }],
]);
const OPERATORS = [...COMPARISONS.keys(), 'and', 'or', 'not', 'has_done', 'has_not_done'].join(
  ', ',
);
const DEPTH_MAX = 8;
const COMPARISONS_MAX = 100;
const VALUES_MAX = 1_000;
const VALUE_MAX_LENGTH = 2_048;
/** Regular expressions and patterns cost more than other values. */
const PATTERNS_MAX = 50;
const PATTERN_MAX_LENGTH = 500;

/**
 * The filter that a query's `filters` mean together: all of them must hold.
 *
 * - Refuses what it does not understand with every fault found, and filters past the limits: 100
 *   comparisons of 1,000 values in all, 50 of them patterns, 8 levels deep.
 */
export function parseFilters(filters: readonly unknown[]): Result<Filter, readonly Fault[]> {
  const faults: Fault[] = [];
  const of = filters.flatMap((entry, index) => {
    const parsed = parseEntry(entry, { path: `/filters/${index}`, depth: 1, faults });
    return parsed === undefined ? [] : [parsed];
  });
  if (faults.length > 0) return refuse(faults);
  const filter: Filter = { op: 'and', of };
  const tooMany = whatIsTooMany(comparisonsOf(filter));
  return tooMany === undefined ? ok(filter) : refuse([{ path: '/filters', message: tooMany }]);
}

function whatIsTooMany(comparisons: readonly Comparison[]): string | undefined {
  const values = comparisons.flatMap((comparison) => comparison.values);
  if (comparisons.length > COMPARISONS_MAX || values.length > VALUES_MAX) {
    return `A query has at most ${COMPARISONS_MAX} comparisons of ${VALUES_MAX} values in all.`;
  }
  const patterns = comparisons.filter(({ by }) => by === 'matches' || by === 'matches_wildcard');
  if (patterns.flatMap((comparison) => comparison.values).length <= PATTERNS_MAX) return undefined;
  return `A query has at most ${PATTERNS_MAX} patterns and regular expressions.`;
}

type Place = { readonly path: string; readonly depth: number; readonly faults: Fault[] };

/** A fault is noted at its place and leaves `undefined`. */
function parseEntry(entry: unknown, place: Place): Filter | undefined {
  if (!Array.isArray(entry))
    return fault(place, 'A filter is an array, [operator, dimension, values].');
  if (place.depth > DEPTH_MAX)
    return fault(place, `Filters nest at most ${DEPTH_MAX} levels deep.`);
  const [op, first] = entry as readonly unknown[];
  switch (op) {
    case 'and':
    case 'or':
      if (entry.length !== 2) return fault(place, `["${op}", filters]`);
      return parseJoined(op, first, place);
    case 'not': {
      if (entry.length !== 2) return fault(place, '["not", filter]');
      const of = parseEntry(first, below(place, 1));
      return of === undefined ? undefined : { op, of };
    }
    case 'has_done':
    case 'has_not_done':
      if (entry.length !== 2) return fault(place, `["${op}", filter]`);
      return parseBehaviour(op, first, place);
    default:
      return parseComparison(entry, place);
  }
}

function parseBehaviour(op: Behaviour['op'], entry: unknown, place: Place): Filter | undefined {
  const of = parseEntry(entry, below(place, 1));
  if (of === undefined) return undefined;
  if (isAboutEvents(of)) return { op, of };
  return fault(
    below(place, 1),
    `"${op}" is about events: tests of event:* only, joined by "and", "or" and "not".`,
  );
}

/** Whether case is ignored; `undefined` after a fault. */
function parseModifiers(modifiers: unknown, place: Place): boolean | undefined {
  if (modifiers === undefined) return false;
  const { case_sensitive: isSensitive, ...others } = (modifiers ?? {}) as Record<string, unknown>;
  if (typeof isSensitive === 'boolean' && Object.keys(others).length === 0) return !isSensitive;
  return fault(place, 'Modifiers are {"case_sensitive": true} or {"case_sensitive": false}.');
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
  [op, name, values, modifiers, ...others]: readonly unknown[],
  place: Place,
): Filter | undefined {
  const comparison = COMPARISONS.get(op);
  if (comparison === undefined) {
    return fault(below(place, 0), `${quote(op)} is not an operator. Known: ${OPERATORS}.`);
  }
  if (values === undefined || others.length > 0) {
    return fault(place, `["${op}", dimension, values] or ["${op}", dimension, values, modifiers]`);
  }
  const ignoresCase = parseModifiers(modifiers, below(place, 3));
  const tested = parseTest(name, values, { ...comparison, place });
  if (tested === undefined || ignoresCase === undefined) return undefined;
  return { op: 'compare', ...comparison, ...tested, ignoresCase };
}

function parseTest(
  name: unknown,
  values: unknown,
  { by, place }: Pick<Comparison, 'by'> & { readonly place: Place },
): Pick<Comparison, 'dimension' | 'values'> | undefined {
  const dimension = typeof name === 'string' ? findDimension(name) : undefined;
  if (dimension === undefined) {
    return fault(below(place, 1), unknownDimension(name));
  }
  if (dimension.of === 'time') {
    return fault(below(place, 1), 'Time is narrowed by date_range, not by a filter.');
  }
  const isPattern = by === 'matches' || by === 'matches_wildcard';
  const maxLength = isPattern ? PATTERN_MAX_LENGTH : VALUE_MAX_LENGTH;
  if (!isTexts(values, maxLength)) {
    const message = `Values are a list of at least one text, each at most ${maxLength} long.`;
    return fault(below(place, 2), message);
  }
  return { dimension, values };
}

/** What to tell someone who named a dimension that is not there. */
export function unknownDimension(name: unknown): string {
  return `${quote(name)} is not a dimension. Known: ${DIMENSION_NAMES.join(', ')}.`;
}

function isTexts(values: unknown, maxLength: number): values is readonly string[] {
  return (
    Array.isArray(values) &&
    values.length > 0 &&
    values.every((value) => typeof value === 'string' && value.length <= maxLength)
  );
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
