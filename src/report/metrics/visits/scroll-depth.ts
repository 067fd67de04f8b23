import { defineMetric, ratio } from '../../metric.ts';

/** How far down visits came on each page they saw, on average: the farthest report of each visit and page. */
export const scrollDepth = defineMetric({
  name: 'scroll_depth',
  unit: 'percent',
  parts: {
    depths: {
      of: 'attention',
      sql: 'arraySum(mapValues(maxMap(map(cityHash64(visit_id, path), toUInt64(scroll_depth)))))',
    },
    pages: { of: 'attention', sql: 'uniqExactIf((visit_id, path), scroll_depth > 0)' },
  },
  toSql: ({ depths, pages }) => ratio(depths, pages),
});
