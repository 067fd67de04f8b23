import { type Distinct, defineMetric, ofEvents, ofVisits } from '../../metric.ts';

const FIRST_VISITORS = (distinct: Distinct) => distinct('visitor', 'is_first_visit');

/**
 * Distinct visitors whose first visit ever began in the period, by visit dimensions in the row of that visit;
 * by an event dimension or filter, those with such an event in it.
 */
export const newVisitors = defineMetric(
  'new_visitors',
  'count',
  ofVisits(FIRST_VISITORS, {
    needs: ['first_visit'],
    byEvent: ofEvents(FIRST_VISITORS, { needs: ['first_visit'] }),
  }),
);
