import { defineMetric, ofAttention } from '../../metric.ts';

/** How far down visits came on each page they saw, on average: the farthest report of each visit and page. */
export const scrollDepth = defineMetric(
  'scroll_depth',
  'average',
  ofAttention(
    'arraySum(mapValues(maxMap(map(cityHash64(visit_id, path), toUInt64(scroll_depth)))))',
  ),
  ofAttention('uniqExactIf((visit_id, path), scroll_depth > 0)'),
);
