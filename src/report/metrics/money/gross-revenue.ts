import { sumOfMoney } from '../../metric.ts';

/** Payments made in the period, refunded later or not. */
export const grossRevenue = sumOfMoney('gross_revenue', "sumIf(amount_minor, kind = 'payment')");
