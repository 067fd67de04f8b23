import { type Distinct, defineMetric, ofEvents, ofVisits } from '../../metric.ts';

const FIRST_VISITORS = (distinct: Distinct) => distinct('visitor', 'is_first_visit');

/**
 * Distinct visitors whose first visit ever began in the period. With visit dimensions, they count in the row of that
 * visit. With an event dimension or filter, only visitors with a matching event in that visit count.
 */
export const newVisitors = defineMetric(
  'new_visitors',
  'count',
  ofVisits(FIRST_VISITORS, {
    needs: ['first_visit'],
    byEvent: ofEvents(FIRST_VISITORS, { needs: ['first_visit'] }),
  }),
);
