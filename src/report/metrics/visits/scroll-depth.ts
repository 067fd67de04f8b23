import { defineMetric, ofAttention } from '../../metric.ts';

/** Average of the greatest scroll depth per visit and page, in percent. */
export const scrollDepth = defineMetric(
  'scroll_depth',
  'average',
  ofAttention(
    'arraySum(mapValues(maxMap(map(cityHash64(visit_id, path), toUInt64(scroll_depth)))))',
  ),
  ofAttention('uniqExactIf((visit_id, path), scroll_depth > 0)'),
);
