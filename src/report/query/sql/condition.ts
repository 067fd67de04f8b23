import { assert } from '#domain/assert.ts';
import type { Bind, FilteredDimension } from '../../dimension.ts';
import { type Comparison, type Filter, isAboutEvents } from '../filter.ts';
import { toRegularExpression } from '../wildcard.ts';

/** How the rows of a fact are filtered. */
export type FilterView = {
  /** SQL for a dimension's value in a row. */
  readonly toValue: (dimension: FilteredDimension) => string;
  /** For rows that are not events: SQL condition that the row's visit has an event that matches the filter. */
  readonly hasEvent?: (filter: Filter) => string;
  /** SQL condition that the row's visitor did what the filter describes in the period. */
  readonly hasDone?: (filter: Filter) => string;
  readonly bind: Bind;
};

/**
 * SQL for a filter over the rows of a fact.
 *
 * - Shape: tests of events joined by `and`, `or` and `not` apply to the same event: a visit passes `goal is signup
 *   and page is /pricing` if a signup happened on /pricing.
 */
export function toCondition(filter: Filter, view: FilterView): string {
  const { hasEvent, hasDone } = view;
  const isJoined = filter.op === 'and' || filter.op === 'or';
  if (hasEvent !== undefined && !isJoined && isAboutEvents(filter)) return hasEvent(filter);
  switch (filter.op) {
    case 'and':
      return joined(filter.of, 'AND', view);
    case 'or':
      return joined(filter.of, 'OR', view);
    case 'not':
      return `NOT ${toCondition(filter.of, view)}`;
    case 'has_done':
    case 'has_not_done':
      assert(hasDone !== undefined, 'what visitors have done is not nested');
      return `${filter.op === 'has_done' ? '' : 'NOT '}(${hasDone(filter.of)})`;
    case 'compare':
      return `${filter.isNegated ? 'NOT ' : ''}(${isOneOf(filter, view)})`;
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

function isOneOf(
  { by, dimension, values, ignoresCase }: Comparison,
  { toValue, bind }: FilterView,
): string {
  const value = toValue(dimension);
  const matches = (pattern: string) => `match(${value}, ${bind(pattern, 'String')})`;
  switch (by) {
    case 'is': {
      const texts = bind(values, 'Array(String)');
      return ignoresCase
        ? `has(arrayMap(text -> lowerUTF8(text), ${texts}), lowerUTF8(${value}))`
        : `${value} IN ${texts}`;
    }
    case 'contains': {
      const position = ignoresCase ? 'positionCaseInsensitiveUTF8' : 'position';
      return `arrayExists(part -> ${position}(${value}, part) > 0, ${bind(values, 'Array(String)')})`;
    }
    case 'matches':
      return values.map((text) => matches(ignoresCase ? `(?i)${text}` : text)).join(' OR ');
    case 'matches_wildcard':
      return values.map((text) => matches(toRegularExpression(text, ignoresCase))).join(' OR ');
  }
}
