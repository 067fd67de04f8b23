import { useSite } from '../../account.ts';
import type { View } from '../../address.ts';
import { toCompare, useAnswer } from '../../query.ts';
import { cardMetricsOf } from './card-metrics.ts';

/** The cards' metrics, in their order. Other widgets that need one of them share this query. */
export function useFigures(view: View, isEnabled = true) {
  const metrics = cardMetricsOf(useSite());
  return useAnswer(view, { metrics: [...metrics], include: toCompare(view) }, isEnabled);
}
