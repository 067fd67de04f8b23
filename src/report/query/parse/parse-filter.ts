import { FAULTS_MAX } from '#contract/checker.ts';
import type { Fault } from '#contract/fault.ts';
import { insteadOf, insteadOfValues, toOwnValue } from '#contract/plausible-names.ts';
import type { AskedFields } from '#contract/query-fields.ts';
import { DIMENSION_NAMES, findDimension } from '../../catalog.ts';
import type { FilteredDimension } from '../../dimension.ts';
import {
  type Comparison,
  comparisonsOf,
  EVERYTHING,
  type Filter,
  filteredDimensions,
  isAboutEvents,
  type Joined,
  type Nested,
} from '../filter.ts';
import { findWildcardFault } from '../wildcard.ts';
import { patternCost } from './pattern-cost.ts';

type Operator = Pick<Comparison, 'by' | 'isNegated'>;
const COMPARISONS = new Map<unknown, Operator>(
  (['is', 'contains', 'matches', 'matches_wildcard'] as const).flatMap(
    (by): [string, Operator][] => [
      [by, { by, isNegated: false }],
      [`${by}_not`, { by, isNegated: true }],
    ],
  ),
);
const OPERATORS = [...COMPARISONS.keys(), 'and', 'or', 'not', 'has_done', 'has_not_done'];
const DEPTH_MAX = 8;
const COMPARISONS_MAX = 100;
const VALUES_MAX = 1_000;
const VALUE_MAX_LENGTH = 2_048;
/** Regular expressions and patterns cost more than other values. */
const PATTERNS_MAX = 50;
const PATTERN_MAX_LENGTH = 500;
/** Maximum total cost of a query's regular expressions: over ten thousand visits, the engine takes 300 ms for any. */
export const PATTERN_COST_MAX = 2_000;

/**
 * Parses a query's `filters`, all of which must hold. Notes faults, and then returns a filter for everything.
 *
 * - Refuses what it does not understand, with the first faults, and filters over the limits: 100 comparisons of
 *   1,000 values in all, 50 of them patterns, 8 levels deep.
 */
export function parseAskedFilter({ filters = [] }: AskedFields, faults: Fault[]): Filter {
  const own: Fault[] = [];
  const filter = parseList('and', filters, { path: '/filters', depth: 1, faults: own });
  const tooMany = own.length > 0 ? undefined : whatIsTooMany(comparisonsOf(filter));
  if (tooMany !== undefined) own.push({ path: '/filters', message: tooMany });
  faults.push(...own);
  return own.length > 0 ? EVERYTHING : filter;
}

function whatIsTooMany(comparisons: readonly Comparison[]): string | undefined {
  const values = comparisons.flatMap((comparison) => comparison.values);
  if (comparisons.length > COMPARISONS_MAX || values.length > VALUES_MAX) {
    return `A query may have at most ${COMPARISONS_MAX} comparisons of ${VALUES_MAX} values in all.`;
  }
  const patterns = comparisons.filter(isPattern).flatMap((comparison) => comparison.values);
  if (patterns.length > PATTERNS_MAX) {
    return `A query may have at most ${PATTERNS_MAX} patterns and regular expressions.`;
  }
  // Patterns of wildcards consist of cheap parts only.
  const expressions = comparisons.filter(({ by }) => by === 'matches');
  const texts = expressions.flatMap((comparison) => comparison.values);
  const cost = texts.reduce((sum, text) => sum + patternCost(text), 0);
  if (cost <= PATTERN_COST_MAX) return undefined;
  return 'The regular expressions of the query are too large: repeat less, such as .{40}, and name fewer classes, such as \\pL. What may go on for ever costs little, such as .*';
}

type Place = { readonly path: string; readonly depth: number; readonly faults: Fault[] };

/** Notes a fault at its place and returns `undefined` if invalid. */
function parseEntry(entry: unknown, place: Place): Filter | undefined {
  if (!Array.isArray(entry))
    return fault(place, 'A filter is an array, [operator, dimension, values].');
  if (place.depth > DEPTH_MAX)
    return fault(place, `Filters nest at most ${DEPTH_MAX} levels deep.`);
  const [op, of] = entry as readonly unknown[];
  switch (op) {
    case 'and':
    case 'or':
      if (entry.length !== 2) return fault(place, `["${op}", filters]`);
      if (Array.isArray(of) && of.length > 0) return parseList(op, of, below(place, 1));
      return fault(below(place, 1), `"${op}" joins a list of at least one filter.`);
    case 'not':
    case 'has_done':
    case 'has_not_done':
      if (entry.length !== 2) return fault(place, `["${op}", filter]`);
      return parseNested(op, of, below(place, 1));
    default:
      return parseComparison(entry, place);
  }
}

function parseList(op: Joined['op'], entries: readonly unknown[], place: Place): Filter {
  const of: Filter[] = [];
  for (const [index, entry] of entries.entries()) {
    if (place.faults.length >= FAULTS_MAX) break;
    const filter = parseEntry(entry, { ...place, path: `${place.path}/${index}` });
    if (filter !== undefined) of.push(filter);
  }
  return { op, of };
}

function parseNested(op: Nested['op'], entry: unknown, place: Place): Filter | undefined {
  const of = parseEntry(entry, place);
  if (of === undefined || op === 'not' || isAboutEvents(of)) return of && { op, of };
  const message = `"${op}" is about events: tests of event:* only, joined by "and", "or" and "not".`;
  return fault(place, message);
}

function parseComparison(
  [op, name, values, modifiers, ...others]: readonly unknown[],
  place: Place,
): Filter | undefined {
  const operator = COMPARISONS.get(op);
  if (operator === undefined) {
    const message = `${quote(op)} is not an operator. Known: ${OPERATORS.join(', ')}.`;
    return fault(below(place, 0), message);
  }
  if (values === undefined || others.length > 0) {
    return fault(place, `["${op}", dimension, values] or ["${op}", dimension, values, modifiers]`);
  }
  const ignoresCase = parseModifiers(modifiers, below(place, 3));
  const dimension = parseDimension(name, below(place, 1));
  if (dimension === undefined) return undefined;
  const instead = Array.isArray(values) ? insteadOfValues(dimension.name, values) : undefined;
  if (instead !== undefined) return fault(below(place, 2), instead);
  const maxLength = isPattern(operator) ? PATTERN_MAX_LENGTH : VALUE_MAX_LENGTH;
  if (!isTexts(values, maxLength)) {
    const message = `Values must be a list of at least one string, each of at most ${maxLength} characters.`;
    return fault(below(place, 2), message);
  }
  const wildcards = operator.by === 'matches_wildcard' ? values.map(findWildcardFault) : [];
  const wrong = wildcards.find((each) => each !== undefined);
  if (wrong !== undefined) return fault(below(place, 2), wrong);
  if (ignoresCase === undefined) return undefined;
  const own = values.map((value) => toOwn(value, operator, dimension));
  return { op: 'compare', ...operator, dimension, values: own, ignoresCase };
}

/** The value as in our answers. Everything contains the empty string, and patterns are not names. */
function toOwn(value: string, operator: Operator, { name }: FilteredDimension): string {
  const isValue = !isPattern(operator) && (operator.by === 'is' || value !== '');
  return isValue ? toOwnValue(name, value) : value;
}

/** Whether case is ignored; `undefined` after a fault. */
function parseModifiers(modifiers: unknown, place: Place): boolean | undefined {
  if (modifiers === undefined) return false;
  const { case_sensitive: isSensitive, ...others } = (modifiers ?? {}) as Record<string, unknown>;
  if (typeof isSensitive === 'boolean' && Object.keys(others).length === 0) return !isSensitive;
  return fault(place, 'Modifiers are {"case_sensitive": true} or {"case_sensitive": false}.');
}

function parseDimension(name: unknown, place: Place): FilteredDimension | undefined {
  const dimension = typeof name === 'string' ? findDimension(name) : undefined;
  if (dimension === undefined) return fault(place, unknownDimension(name));
  if (dimension.of === 'event' && dimension.isMany) {
    return fault(
      place,
      `${quote(name)} cannot be filtered on. To find events with a property, write ["is_not", "event:props:plan", ["(none)"]].`,
    );
  }
  if (dimension.of !== 'time') return dimension;
  return fault(place, 'Time is not a filter: use date_range.');
}

/** The message for an unknown dimension. */
export function unknownDimension(name: unknown): string {
  const instead = typeof name === 'string' ? insteadOf(name) : '';
  return `${quote(name)} is not a dimension. ${instead && `${instead} `}Known: ${DIMENSION_NAMES.join(', ')}.`;
}

/** Notes a fault if a filter is about payments: only people are counted here. */
export function refusePayments(filter: Filter, faults: Fault[]): void {
  const named = [...filteredDimensions(filter)].find(({ of }) => of === 'payment');
  if (named === undefined) return;
  const message = `People are counted here, who have no ${named.name}: filter by visit:*, visitor:* or event:*.`;
  faults.push({ path: '/filters', message });
}

function isPattern({ by }: Operator): boolean {
  return by === 'matches' || by === 'matches_wildcard';
}

function isTexts(values: unknown, maxLength: number): values is readonly string[] {
  return (
    Array.isArray(values) &&
    values.length > 0 &&
    values.every((value) => typeof value === 'string' && value.length <= maxLength)
  );
}

function below({ path, depth, faults }: Place, index: number): Place {
  return { path: `${path}/${index}`, depth: depth + 1, faults };
}

function fault({ path, faults }: Place, message: string): undefined {
  faults.push({ path, message });
}

function quote(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 100)) : 'This';
}
