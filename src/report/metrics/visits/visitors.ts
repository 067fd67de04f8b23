import { defineMetric, distinctVisitors } from '../../metric.ts';

/**
 * Distinct visitors with a visit that began in the period; by an event dimension or filter, distinct
 * visitors with such an event in the period.
 */
export const visitors = defineMetric({
  name: 'visitors',
  unit: 'count',
  parts: {
    visitors: {
      of: 'visits',
      sql: distinctVisitors(),
      byEvent: { of: 'events', sql: distinctVisitors() },
    },
  },
  toSql: ({ visitors }) => visitors,
});
