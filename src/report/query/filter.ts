import type { FilteredDimension } from '../dimension.ts';

/** Which visits or events a query is about: one test of a dimension's value, or several joined. */
export type Filter = Comparison | Joined | Nested;

/** A test of one dimension's value: any of the values must match; negated, none may. */
export type Comparison = {
  readonly op: 'compare';
  /**
   * The value itself, a substring, a regular expression (RE2) for a substring, or a pattern for the whole: `*` for
   * anything but a slash, `**` for anything.
   */
  readonly by: 'is' | 'contains' | 'matches' | 'matches_wildcard';
  readonly isNegated: boolean;
  readonly ignoresCase: boolean;
  readonly dimension: FilteredDimension;
  readonly values: readonly string[];
};

/** Filters of which all, or at least one, must hold. */
export type Joined = { readonly op: 'and' | 'or'; readonly of: readonly Filter[] };

/** A filter that must not hold, or, of events only, what the visitor did or did not do in the period. */
export type Nested = { readonly op: 'not' | 'has_done' | 'has_not_done'; readonly of: Filter };

/** The filter that holds for everything. */
export const EVERYTHING: Filter = { op: 'and', of: [] };

/** The dimensions that a filter tests, each once; not those within `has_done`. */
export function filteredDimensions(filter: Filter): ReadonlySet<FilteredDimension> {
  return new Set(
    testsOf(filter).flatMap((test) => (test.op === 'compare' ? [test.dimension] : [])),
  );
}

/** Whether every test is of one event's dimensions, so that the filter selects events. */
export function isAboutEvents(filter: Filter): boolean {
  return testsOf(filter).every((test) => isOf(test, 'event'));
}

/** Whether any test is of an event's dimension. */
export function namesEvents(filter: Filter): boolean {
  return testsOf(filter).some((test) => isOf(test, 'event'));
}

/** Whether any part of the filter is about what visitors have done. */
export function namesBehaviour(filter: Filter): boolean {
  return testsOf(filter).some(({ op }) => op !== 'compare');
}

/** Every comparison in a filter, those within `has_done` included. */
export function comparisonsOf(filter: Filter): readonly Comparison[] {
  return testsOf(filter).flatMap((test) =>
    test.op === 'compare' ? [test] : comparisonsOf(test.of),
  );
}

/** The conditions that must all hold, split: those that only test events, or visits, and the rest. */
export function partition(filter: Filter, of: 'event' | 'visit'): readonly [Joined, Joined] {
  const isOwn = (part: Filter) => testsOf(part).every((test) => isOf(test, of));
  const parts = conjuncts(filter);
  return [
    { op: 'and', of: parts.filter(isOwn) },
    { op: 'and', of: parts.filter((part) => !isOwn(part)) },
  ];
}

/** The conditions that must all hold. */
export function conjuncts(filter: Filter): readonly Filter[] {
  return filter.op === 'and' ? filter.of.flatMap(conjuncts) : [filter];
}

/** The filter as if every test of an event held; `undefined` if nothing is left. */
export function withoutEvents(filter: Filter): Filter | undefined {
  if (filter.op === 'and') {
    return { op: 'and', of: filter.of.flatMap((part) => withoutEvents(part) ?? []) };
  }
  if (filter.op !== 'or') return namesEvents(filter) ? undefined : filter;
  const of = filter.of.map(withoutEvents);
  return of.every((part) => part !== undefined) ? { op: 'or', of } : undefined;
}

/** The parts that a filter joins or negates. */
function testsOf(filter: Filter): readonly (Comparison | Nested)[] {
  switch (filter.op) {
    case 'and':
    case 'or':
      return filter.of.flatMap(testsOf);
    case 'not':
      return testsOf(filter.of);
    case 'has_done':
    case 'has_not_done':
    case 'compare':
      return [filter];
  }
}

function isOf(test: Comparison | Nested, of: FilteredDimension['of']): boolean {
  return test.op === 'compare' && test.dimension.of === of;
}
