import type { Bind, FilteredDimension } from '../dimension.ts';
import { type Comparison, type Filter, isAboutEvents } from '../filter.ts';

/** How the rows of a fact are filtered. */
export type FilterView = {
  /** SQL of a dimension's value over a row. */
  readonly toValue: (dimension: FilteredDimension) => string;
  /**
   * For rows that are no events: SQL that holds when the row's visit has an event for which the
   * filter holds.
   */
  readonly hasEvent?: (filter: Filter) => string;
  readonly bind: Bind;
};

/**
 * SQL of a filter over the rows of a fact.
 *
 * - Shape: tests of events that are joined by `and`, `or` and `not` are about one event: a visit
 *   passes `goal is signup and page is /pricing` when a signup happened on /pricing.
 */
export function toCondition(filter: Filter, view: FilterView): string {
  switch (filter.op) {
    case 'and':
      return joined(filter.of, 'AND', view);
    case 'or':
      return joined(filter.of, 'OR', view);
    case 'not':
      if (view.hasEvent !== undefined && isAboutEvents(filter)) return view.hasEvent(filter);
      return `NOT ${toCondition(filter.of, view)}`;
    case 'is':
    case 'is_not':
    case 'contains':
    case 'contains_not':
      if (view.hasEvent !== undefined && filter.dimension.of === 'event')
        return view.hasEvent(filter);
      return comparison(filter, view);
  }
}

function joined(filters: readonly Filter[], word: 'AND' | 'OR', view: FilterView): string {
  if (filters.length === 0) return '1';
  const { hasEvent } = view;
  const ofEvents = hasEvent === undefined ? [] : filters.filter(isAboutEvents);
  const others = filters.filter((filter) => !ofEvents.includes(filter));
  const parts = others.map((filter) => toCondition(filter, view));
  if (hasEvent !== undefined && ofEvents.length > 0) {
    parts.push(hasEvent({ op: word === 'AND' ? 'and' : 'or', of: ofEvents }));
  }
  return `(${parts.join(` ${word} `)})`;
}

function comparison({ op, dimension, values }: Comparison, view: FilterView): string {
  const value = view.toValue(dimension);
  const texts = view.bind(values, 'Array(String)');
  switch (op) {
    case 'is':
      return `has(${texts}, ${value})`;
    case 'is_not':
      return `NOT has(${texts}, ${value})`;
    case 'contains':
      return `arrayExists(part -> position(${value}, part) > 0, ${texts})`;
    case 'contains_not':
      return `NOT arrayExists(part -> position(${value}, part) > 0, ${texts})`;
  }
}
