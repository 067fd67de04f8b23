import { defineMetric, wholes } from '../../metric.ts';

/**
 * Goals reached in the period, each time one is reached. By visit dimensions, shared out among the
 * visitor's visits by the attribution model.
 */
export const conversions = defineMetric({
  name: 'conversions',
  unit: 'credit',
  parts: { conversions: { of: 'conversions', sql: 'sum(credit)' } },
  toSql: ({ conversions }) => wholes(conversions),
});
