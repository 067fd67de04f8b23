import { NONE, named, type VisitDimension } from '../../dimension.ts';

/** The browser's language as it says (`de-DE`), else `(none)`. */
export const visitLanguage = {
  of: 'visit',
  name: 'visit:language',
  sql: named('language', NONE),
} as const satisfies VisitDimension;
