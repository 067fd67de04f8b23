import type { View } from '../../address/address.ts';
import { useAnswer } from '../../api/query.ts';
import { type Filter, PROPERTY, PROPERTY_NAMES } from '../../format/dimensions.ts';

/** As many as a readable list can hold. */
const NAMES_MAX = 50;

/** The property names found on the period's events, plus the filter's own. */
export function useProperties(view: View, { dimension }: Filter): readonly string[] {
  const { data } = useAnswer(view, {
    ...{ metrics: ['events'], dimensions: [PROPERTY_NAMES] },
    pagination: { limit: NAMES_MAX },
  });
  const names = (data?.results ?? []).map(({ dimensions }) => dimensions[0] ?? '');
  const own = dimension.startsWith(PROPERTY) ? [dimension.slice(PROPERTY.length)] : [];
  return [...new Set([...names, ...own])].toSorted();
}
