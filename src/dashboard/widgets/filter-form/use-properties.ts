import type { Filter, View } from '../../address.ts';
import { PROPERTY, PROPERTY_NAMES } from '../../format/dimensions.ts';
import { useAnswer } from '../../query.ts';

/** So many fit a list that people read. */
const NAMES_MAX = 50;

/** The names of the properties that events of the period carry, and the one that a filter is about. */
export function useProperties(view: View, { dimension }: Filter): readonly string[] {
  const { data } = useAnswer(view, {
    ...{ metrics: ['events'], dimensions: [PROPERTY_NAMES] },
    pagination: { limit: NAMES_MAX },
  });
  const names = (data?.results ?? []).map(({ dimensions }) => dimensions[0] ?? '');
  const own = dimension.startsWith(PROPERTY) ? [dimension.slice(PROPERTY.length)] : [];
  return [...new Set([...names, ...own])].toSorted();
}
