import { sumOfMoney } from '../../metric.ts';

/** Refunds made in the period, whenever the payment was made. A positive amount. */
export const refunds = sumOfMoney('refunds', "sumIf(amount_minor, kind = 'refund')");
