import { VISIT } from '#contract/rows/visit-row.ts';
import { named, visitorDimension } from '../../dimension.ts';

/** Source of the visitor's first visit ever. */
export const visitorFirstSource = visitorDimension(
  'visitor:first_source',
  named(VISIT.source, 'Direct'),
);
