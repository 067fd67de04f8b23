import { averageSeconds, defineMetric, WAYS } from '../../metric.ts';

/**
 * Average time from the first touch in the lookback window to the first payment above 0, in whole seconds, of
 * the new customers of the period of whom a touch is known.
 */
export const timeToFirstPayment = defineMetric({
  name: 'time_to_purchase',
  unit: 'seconds',
  parts: {
    wayMs: {
      of: 'payments',
      sql: 'sumIf(toInt128(path_ms) * credit, is_first_payment AND path_visits > 0)',
      needs: ['first_payment', 'path'],
    },
    ways: WAYS,
  },
  toSql: ({ wayMs, ways }) => averageSeconds(wayMs, ways),
});
