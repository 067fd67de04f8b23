import { VISIT } from '#contract/rows/visit-row.ts';
import { named, visitDimension } from '../../dimension.ts';

/** Source of the visit, by display name: `Google`, `Hacker News`, `Direct`. */
export const visitSource = visitDimension('visit:source', named(VISIT.source, 'Direct'));
