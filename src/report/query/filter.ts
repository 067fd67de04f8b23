import type { FilteredDimension } from '../dimension.ts';

/** Which visits or events a query is about: one test of a dimension's value, or several joined. */
export type Filter = Comparison | Joined | Negated | Behaviour;

/** A test of one dimension's value: one of the values is enough; negated, none of them may be. */
export type Comparison = {
  readonly op: 'compare';
  /**
   * The value itself, a part of it, a regular expression (RE2) for a part of it, or a pattern for the
   * whole of it: `*` for anything but a slash, `**` for anything.
   */
  readonly by: 'is' | 'contains' | 'matches' | 'matches_wildcard';
  readonly isNegated: boolean;
  readonly ignoresCase: boolean;
  readonly dimension: FilteredDimension;
  readonly values: readonly string[];
};

/** Filters of which all, or one, must hold. */
export type Joined = { readonly op: 'and' | 'or'; readonly of: readonly Filter[] };

/** A filter that must not hold. */
export type Negated = { readonly op: 'not'; readonly of: Filter };

/** Whether the visitor did in the period what the filter, of events only, tells. */
export type Behaviour = {
  readonly op: 'has_done' | 'has_not_done';
  readonly of: Filter;
};

/** The dimensions that a filter names of the thing itself, each once. */
export function filteredDimensions(filter: Filter): ReadonlySet<FilteredDimension> {
  switch (filter.op) {
    case 'and':
    case 'or':
      return new Set(filter.of.flatMap((part) => [...filteredDimensions(part)]));
    case 'not':
      return filteredDimensions(filter.of);
    case 'has_done':
    case 'has_not_done':
      return new Set();
    case 'compare':
      return new Set([filter.dimension]);
  }
}

/** Whether every test is of one event's dimensions, so that the filter tells events apart. */
export function isAboutEvents(filter: Filter): boolean {
  return (
    !namesBehaviour(filter) &&
    [...filteredDimensions(filter)].every((dimension) => dimension.of === 'event')
  );
}

/** Whether every test is of the visit's dimensions. */
export function isAboutVisits(filter: Filter): boolean {
  const dimensions = [...filteredDimensions(filter)];
  return !namesBehaviour(filter) && dimensions.every(({ of }) => of === 'visit');
}

/** Whether any part of the filter is about what visitors have done. */
export function namesBehaviour(filter: Filter): boolean {
  switch (filter.op) {
    case 'and':
    case 'or':
      return filter.of.some(namesBehaviour);
    case 'not':
      return namesBehaviour(filter.of);
    case 'has_done':
    case 'has_not_done':
      return true;
    case 'compare':
      return false;
  }
}

/** Every comparison in a filter. */
export function comparisonsOf(filter: Filter): readonly Comparison[] {
  switch (filter.op) {
    case 'and':
    case 'or':
      return filter.of.flatMap(comparisonsOf);
    case 'not':
    case 'has_done':
    case 'has_not_done':
      return comparisonsOf(filter.of);
    case 'compare':
      return [filter];
  }
}

/** The conditions of which all must hold. */
export function conjuncts(filter: Filter): readonly Filter[] {
  return filter.op === 'and' ? filter.of.flatMap(conjuncts) : [filter];
}

/** The filter with every test of an event taken as holding; `undefined` when nothing is left. */
export function withoutEvents(filter: Filter): Filter | undefined {
  switch (filter.op) {
    case 'and':
      return { op: 'and', of: filter.of.flatMap((part) => withoutEvents(part) ?? []) };
    case 'or': {
      const of = filter.of.map(withoutEvents);
      return of.every((part) => part !== undefined) ? { op: 'or', of } : undefined;
    }
    case 'not':
    case 'has_done':
    case 'has_not_done':
    case 'compare':
      return namesEvents(filter) ? undefined : filter;
  }
}

/** Whether any test is of an event's dimension. */
export function namesEvents(filter: Filter): boolean {
  return [...filteredDimensions(filter)].some((dimension) => dimension.of === 'event');
}
