import { defineCount } from '../../metric.ts';

/**
 * Goals reached in the period, each time one is reached. By visit dimensions, shared out among the
 * visitor's visits by the attribution model.
 */
export const conversions = defineCount({
  name: 'conversions',
  unit: 'credit',
  of: 'conversions',
  sql: 'sum(credit)',
});
