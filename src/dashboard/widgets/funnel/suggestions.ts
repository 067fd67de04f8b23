import { useEffect, useState } from 'react';
import type { View } from '../../address.ts';
import { useAnswer } from '../../query.ts';

const TYPING_MS = 250;

/** The values of a dimension with the most visitors in the period, ignoring the filters. */
export function useValues(view: View, dimension: string, text: string, limit: number) {
  const answer = useAnswer(
    { ...view, filters: [] },
    {
      metrics: ['visitors'],
      dimensions: [dimension],
      pagination: { limit },
      ...(text !== '' && { filters: [['contains', dimension, [text]]] }),
    },
  );
  const values = answer.data?.results.map(({ dimensions: [value = ''] }) => value);
  return { values, error: answer.error };
}

/** Debounces a text: not every keystroke is worth a request. */
export function useSettled(text: string): string {
  const [settled, settle] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => settle(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
