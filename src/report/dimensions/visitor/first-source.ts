import { named, type VisitorDimension } from '../../dimension.ts';

/** The source of the visitor's first visit, whenever it was. */
export const visitorFirstSource = {
  of: 'visitor',
  name: 'visitor:first_source',
  sql: () => named('source', 'Direct'),
} as const satisfies VisitorDimension;
