import type { Fault } from '#contract/fault.ts';
import { isCredited } from '../../attribution/by-models.ts';
import { comparisonsOf } from '../filter.ts';
import type { Query } from '../query.ts';

/** What credited metrics by models may come to: five by all eight, or two of them compared. */
const COLUMNS_MAX = 40;
/** So many comparisons of filters cost as much again as the query without. */
const COMPARISONS_OF_DOUBLE = 40;

/** What was parsed of a query, with its metrics as they are named. */
type Parsed = Pick<Query, 'metrics' | 'comparedWith'> & {
  readonly filter: Query['filter'] | undefined;
  readonly models: Query['attribution']['models'];
};

/**
 * The fault of a query for more by several models than is answered at once.
 *
 * Why a bound of its own: the engine takes seconds to read a statement of so many columns, and its limit
 * of time does not hold while it does.
 */
export function tooManyModels({ metrics, models, filter, comparedWith }: Parsed): Fault[] {
  const columns = metrics.filter(isCredited).length * (models?.length ?? 0);
  const comparisons = filter === undefined ? 0 : comparisonsOf(filter).length;
  const periods = comparedWith === undefined ? 1 : 2;
  const cost = columns * periods * (1 + comparisons / COMPARISONS_OF_DOUBLE);
  if (cost <= COLUMNS_MAX) return [];
  const message =
    'Credited metrics times models, doubled where periods are compared and doubled by ' +
    `${COMPARISONS_OF_DOUBLE} comparisons in filters, come to ${Math.ceil(cost)} here and may come to ` +
    `${COLUMNS_MAX}: ask for fewer models, metrics or filters at once.`;
  return [{ path: '/attribution/models', message }];
}
