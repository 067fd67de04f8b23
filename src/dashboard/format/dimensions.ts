import { DIMENSION_LABELS, type DimensionName } from '#contract/reports/catalog.ts';
import { hasNames, nameValue } from './values.ts';

/** A condition on what is shown: a query API operator, a dimension, and values. */
export type ViewFilter = {
  readonly operator: FilterOperator;
  readonly dimension: string;
  readonly values: readonly string[];
};

/** The operators offered by chips, in plain words. */
export const OPERATOR_WORDS = {
  is: 'is',
  is_not: 'is not',
  contains: 'contains',
  contains_not: 'does not contain',
  matches_wildcard: 'matches',
  matches_wildcard_not: 'does not match',
  has_done: 'has been',
  has_not_done: 'has never been',
} as const;
/** One of {@link OPERATOR_WORDS}. */
export type FilterOperator = keyof typeof OPERATOR_WORDS;
/** All of them. */
export const FILTER_OPERATORS = Object.keys(OPERATOR_WORDS) as readonly FilterOperator[];

/** Groups of the dimensions that filters offer, each from its first on as the catalog lists them. */
const GROUPS = [
  ['Source', 'visit:channel'],
  ['Pages and goals', 'event:page'],
  ['Location', 'visit:country'],
  ['Device', 'visit:device'],
  ['First visit', 'visitor:first_channel'],
] as const satisfies readonly (readonly [string, DimensionName])[];
const FIRST_WITHOUT_GROUP: DimensionName = 'visit:bot';
const NAMES = Object.keys(DIMENSION_LABELS);

/** The dimensions that filters offer, in groups. */
export const DIMENSION_GROUPS = GROUPS.map(([name, first], at) => {
  const end = GROUPS[at + 1]?.[1] ?? FIRST_WITHOUT_GROUP;
  return { name, dimensions: NAMES.slice(NAMES.indexOf(first), NAMES.indexOf(end)) };
});

/** The prefix of custom parameters' dimensions. */
export const PROPERTY = 'event:props:';
/** The dimension of their names. */
export const PROPERTY_NAMES = 'event:property';

const LABELS: ReadonlyMap<string, string> = new Map(Object.entries(DIMENSION_LABELS));

/** An operator of a custom channel, in the words of filters. */
export function nameTest(op: string): string {
  const isShared = Object.hasOwn(OPERATOR_WORDS, op);
  return isShared ? OPERATOR_WORDS[op as FilterOperator] : op.replaceAll('_', ' ');
}

/** A dimension's display name; its API name when it is unknown. */
export function nameDimension(dimension: string): string {
  if (dimension.startsWith(PROPERTY)) return dimension.slice(PROPERTY.length);
  return LABELS.get(dimension) ?? dimension;
}

/** A filter as shown on a chip. */
export function nameFilter({ operator, dimension, values }: ViewFilter) {
  const isExact = !/^(contains|matches)/.test(operator) || !hasNames(dimension);
  return {
    dimension: nameDimension(dimension),
    operator: OPERATOR_WORDS[operator],
    values: values.map((value) => (isExact ? nameValue(dimension, value) : value)).join(' or '),
  };
}

/** A filter in a phrase: `Country is Germany`. */
export function phraseFilter(filter: ViewFilter): string {
  const { dimension, operator, values } = nameFilter(filter);
  return `${dimension} ${operator} ${values}`;
}

/** A filter of the query API in a phrase; in the API’s format if no chip can show it. */
export function describeFilter(filter: readonly unknown[]): string {
  const [operator, of, ...own] = filter;
  const isDone = operator === 'has_done' || operator === 'has_not_done';
  const [test, dimension, values] = isDone && Array.isArray(of) ? of : ['is', of, ...own];
  const isKnown = typeof operator === 'string' && Object.hasOwn(OPERATOR_WORDS, operator);
  if (!isKnown || test !== 'is' || typeof dimension !== 'string' || !Array.isArray(values)) {
    return JSON.stringify(filter);
  }
  return phraseFilter({ operator, dimension, values } as ViewFilter);
}

/** The negated operator. */
export function negate(operator: FilterOperator): FilterOperator {
  if (operator === 'has_done') return 'has_not_done';
  if (operator === 'has_not_done') return 'has_done';
  const isNegative = operator.endsWith('_not');
  return (isNegative ? operator.slice(0, -'_not'.length) : `${operator}_not`) as FilterOperator;
}
