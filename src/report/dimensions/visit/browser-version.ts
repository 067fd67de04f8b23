import { NONE, named, type VisitDimension } from '../../dimension.ts';

/** The browser with its version (`Chrome 146`), its name alone without one; else `(none)`. */
export const visitBrowserVersion = {
  of: 'visit',
  name: 'visit:browser_version',
  sql: named(`trimRight(concat(browser, ' ', browser_version))`, NONE),
} as const satisfies VisitDimension;
