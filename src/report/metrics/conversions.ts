import { defineMetric } from '../metric.ts';

/**
 * Goals reached in the period, each time one is reached. By visit dimensions, credited to one of the
 * visitor's visits by the attribution model.
 */
export const conversions = defineMetric({
  name: 'conversions',
  unit: 'count',
  parts: { conversions: { of: 'conversions', sql: 'count()' } },
  toSql: ({ conversions }) => conversions,
});
