import type { View } from '../../address/address.ts';
import { useAnswer } from '../../api/query.ts';
import { toSearch } from '../../format/values.ts';

/** The values of a dimension with the most visitors in the period, ignoring the filters. */
export function useValues(view: View, dimension: string, text: string, limit: number) {
  const answer = useAnswer(
    { ...view, filters: [] },
    {
      metrics: ['visitors'],
      dimensions: [dimension],
      pagination: { limit },
      ...(text !== '' && { filters: [toSearch(dimension, text)] }),
    },
  );
  const values = answer.data?.results.map(({ dimensions: [value = ''] }) => value);
  return { values, error: answer.error };
}
