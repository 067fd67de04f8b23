import { named, type VisitDimension } from '../../dimension.ts';

/** Where the visit came from, by its spoken name: `Google`, `Hacker News`, `Direct`. */
export const visitSource = {
  of: 'visit',
  name: 'visit:source',
  sql: named('source', 'Direct'),
} as const satisfies VisitDimension;
