import { VISIT } from '#contract/rows/visit-row.ts';
import { NONE } from '#domain/row-labels.ts';
import { visitDimension } from '../../dimension.ts';

/**
 * Width of the visitor's screen, in ranges of CSS pixels; `(none)` if unknown.
 *
 * - Why these ranges: phones are below 576 px, tablets below 992 px, laptops below 1,440 px.
 */
export const visitScreenSize = visitDimension(
  'visit:screen_size',
  `transform(
    arrayCount(width -> toUInt16OrZero(${VISIT.screen_width}) >= width, [1, 576, 992, 1440]),
    [1, 2, 3, 4], ['under 576 px', '576–991 px', '992–1439 px', 'from 1440 px'], '${NONE}')`,
);
