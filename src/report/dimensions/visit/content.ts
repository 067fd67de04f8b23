import { NONE, named, type VisitDimension } from '../../dimension.ts';

/** Which of several links or ads it was (`utm_content`), else `(none)`. */
export const visitContent = {
  of: 'visit',
  name: 'visit:content',
  sql: named('content', NONE),
} as const satisfies VisitDimension;
