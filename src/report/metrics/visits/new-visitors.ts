import { defineMetric, distinctVisitors } from '../../metric.ts';

/**
 * Distinct visitors whose first visit ever began in the period, by visit dimensions in the row of that visit;
 * by an event dimension or filter, those with such an event in it.
 */
export const newVisitors = defineMetric({
  name: 'new_visitors',
  unit: 'count',
  parts: {
    newVisitors: {
      of: 'visits',
      sql: distinctVisitors('is_first_visit'),
      byEvent: { of: 'events', sql: distinctVisitors('is_first_visit') },
    },
  },
  toSql: ({ newVisitors }) => newVisitors,
});
