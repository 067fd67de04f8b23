import { VISIT } from '#contract/rows/visit-row.ts';
import { named, visitDimension } from '../../dimension.ts';

/** Path of the first page of the visit; `(none)` for a visit without a pageview. */
export const visitEntryPage = visitDimension('visit:entry_page', named(VISIT.entry_page));
