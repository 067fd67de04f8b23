import { VISIT } from '#contract/rows/visit-row.ts';
import { named, visitDimension } from '../../dimension.ts';

/** Where the visit came from, by its spoken name: `Google`, `Hacker News`, `Direct`. */
export const visitSource = visitDimension('visit:source', named(VISIT.source, 'Direct'));
