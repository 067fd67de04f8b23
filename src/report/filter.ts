import type { FilteredDimension } from './dimension.ts';

/** Which visits or events a question is about: one test of a dimension's value, or several joined. */
export type Filter = Comparison | Joined | Negated;

/** A test of one dimension's value. */
export type Comparison = {
  readonly op: 'is' | 'is_not' | 'contains' | 'contains_not';
  readonly dimension: FilteredDimension;
  /** One of them is enough; for the `_not` forms, none of them may be. */
  readonly values: readonly string[];
};

/** Filters of which all, or one, must hold. */
export type Joined = { readonly op: 'and' | 'or'; readonly of: readonly Filter[] };

/** A filter that must not hold. */
export type Negated = { readonly op: 'not'; readonly of: Filter };

/** The dimensions that a filter names, each once. */
export function filteredDimensions(filter: Filter): ReadonlySet<FilteredDimension> {
  switch (filter.op) {
    case 'and':
    case 'or':
      return new Set(filter.of.flatMap((part) => [...filteredDimensions(part)]));
    case 'not':
      return filteredDimensions(filter.of);
    case 'is':
    case 'is_not':
    case 'contains':
    case 'contains_not':
      return new Set([filter.dimension]);
  }
}

/** Whether every test is of one event's dimensions, so that the filter tells events apart. */
export function isAboutEvents(filter: Filter): boolean {
  return [...filteredDimensions(filter)].every((dimension) => dimension.of === 'event');
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
      return namesEvents(filter) ? undefined : filter;
    case 'is':
    case 'is_not':
    case 'contains':
    case 'contains_not':
      return namesEvents(filter) ? undefined : filter;
  }
}

/** Whether any test is of an event's dimension. */
export function namesEvents(filter: Filter): boolean {
  return [...filteredDimensions(filter)].some((dimension) => dimension.of === 'event');
}
