import { defineMetric, ofPayments, WAYS } from '../../metric.ts';

/**
 * Average number of touches in the lookback window before the first payment above 0, of the new customers of
 * the period of whom a touch is known.
 */
export const visitsToFirstPayment = defineMetric(
  'visits_to_purchase',
  'average',
  ofPayments('sumIf(path_visits * credit, is_first_payment)', { needs: ['first_payment', 'path'] }),
  WAYS,
);
