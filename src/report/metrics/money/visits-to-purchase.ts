import { defineMetric, ofPayments, WAYS } from '../../metric.ts';

/**
 * Average number of touches in the lookback window before the first payment above 0, over new customers of the
 * period with a known touch.
 */
export const visitsToFirstPayment = defineMetric(
  'visits_to_purchase',
  'average',
  ofPayments('sumIf(path_visits * credit, is_first_payment)', { needs: ['first_payment', 'path'] }),
  WAYS,
);
