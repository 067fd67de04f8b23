import { NONE, named, visitDimension } from '../../dimension.ts';

/** The browser by its name (`Firefox`), else `(none)`. */
export const visitBrowser = visitDimension('visit:browser', named('browser', NONE));
