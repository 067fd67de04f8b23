import type { View } from '../../address/address.ts';
import { useAnswer } from '../../api/query.ts';
import { PROPERTY } from '../../format/dimensions.ts';
import { toNumber } from '../../format/numbers.ts';
import { findNamed, hasNames, toSearch } from '../../format/values.ts';
import { useSettled } from '../../ui/use-settled.ts';

const SUGGESTIONS = 8;
/** All there are, as a rule: what is typed may be any of them, and the names of codes are known only here. */
const FOUND_MAX = 500;

/** Values that may be meant. */
export type Suggestions = ReturnType<typeof useSuggestions>;

/** The values with the most visitors in which people find the typed text. */
export function useSuggestions(view: View, dimension: string, typed: string) {
  const text = useSettled(typed);
  const isNamed = hasNames(dimension);
  const { data, isFetching, isPlaceholderData, error } = useAnswer(
    view,
    {
      metrics: ['visitors'],
      dimensions: [dimension],
      filters: text === '' || isNamed ? [] : [toSearch(dimension, text)],
      pagination: { limit: isNamed || text !== '' ? FOUND_MAX : SUGGESTIONS },
    },
    dimension !== PROPERTY,
  );
  // While another dimension's values load, those of the one before are still here.
  const isOfDimension = data?.query.dimensions?.[0] === dimension;
  const visitors = new Map(
    (isOfDimension ? data.results : []).map(({ dimensions: [value = ''], metrics }) => [
      value,
      toNumber(metrics[0] ?? null),
    ]),
  );
  const found = isNamed ? findNamed([...visitors.keys()], dimension, typed) : [...visitors.keys()];
  const isOfText = isNamed || text === typed;
  return {
    /** All values found for what is typed; undefined until they are known. */
    found:
      error !== null ? [] : isOfText && isOfDimension && !isPlaceholderData ? found : undefined,
    offered: isOfDimension
      ? found.slice(0, SUGGESTIONS).map((value) => ({ value, visitors: visitors.get(value) ?? 0 }))
      : undefined,
    isWaiting: !isOfDimension && isFetching,
    error,
  };
}
