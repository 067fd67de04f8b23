import { ATTRIBUTION_MODELS } from '#domain/attribution/models.ts';
import { revenue } from '../../metrics/money/revenue.ts';
import type { Query } from '../../query/query.ts';

/** A query of another kind, in the form in which the parts of SQL take queries: about revenue. */
export function toQuery(asked: Pick<Query, 'site' | 'period' | 'filter' | 'dimensions'>): Query {
  return {
    ...asked,
    metrics: [revenue],
    attribution: { model: ATTRIBUTION_MODELS[0], lookbackDays: null },
    order: [],
    page: { limit: 0, offset: 0 },
    comparedWith: undefined,
  };
}
