import { VISIT } from '#contract/rows/visit-row.ts';
import { named, visitorDimension } from '../../dimension.ts';

/** The source of the visitor's first visit, whenever it was. */
export const visitorFirstSource = visitorDimension(
  'visitor:first_source',
  named(VISIT.source, 'Direct'),
);
