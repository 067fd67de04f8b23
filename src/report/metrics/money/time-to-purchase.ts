import { defineMetric, ofPayments, WAYS } from '../../metric.ts';

/**
 * Average time from the first touch in the lookback window to the first payment above 0, in whole seconds, over
 * new customers of the period with a known touch.
 */
export const timeToFirstPayment = defineMetric(
  'time_to_purchase',
  'seconds',
  ofPayments('sumIf(toInt128(path_ms) * credit, is_first_payment AND path_visits > 0)', {
    needs: ['first_payment', 'path'],
  }),
  WAYS,
);
