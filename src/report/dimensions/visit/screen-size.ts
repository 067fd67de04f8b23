import { VISIT } from '#contract/rows/visit-row.ts';
import { NONE, visitDimension } from '../../dimension.ts';

/**
 * How wide the visitor's screen is, in classes of CSS pixels; `(none)` when the browser does not say.
 *
 * - Why these: below 576 phones lie, below 992 tablets, below 1,440 laptops.
 */
export const visitScreenSize = visitDimension(
  'visit:screen_size',
  `transform(
    arrayCount(width -> toUInt16OrZero(${VISIT.screen_width}) >= width, [1, 576, 992, 1440]),
    [1, 2, 3, 4], ['under 576 px', '576–991 px', '992–1439 px', 'from 1440 px'], '${NONE}')`,
);
