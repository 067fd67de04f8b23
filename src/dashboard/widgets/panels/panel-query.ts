import type { Asked } from '../../query.ts';
import type { Choice } from './choice.ts';
import { measureOf } from './measures.ts';
import { ROWS } from './rows.ts';

/** A panel's query; ties are sorted by visitors. */
export function toAsked(
  choice: Pick<Choice, 'measure' | 'sort' | 'direction'>,
  dimension: string,
): Asked {
  const { metrics } = measureOf(choice.measure);
  const order: [string, 'asc' | 'desc'][] = [[choice.sort, choice.direction]];
  if (choice.sort !== 'visitors') order.push(['visitors', 'desc']);
  return { metrics: [...metrics], dimensions: [dimension], order_by: order };
}

const CHANNELS = 'visit:channel';
/** More channels than a site can have: some twenty, and a hundred of its own. */
const CHANNELS_MAX = 200;

/**
 * The query for a panel's first rows and their number. For revenue by channel, it asks for all of them with their
 * payments, unless a shared link shows them: it has no payments.
 */
export function toFirstRows(asked: Asked, isShared: boolean): Asked {
  const isOfChannels = asked.dimensions?.[0] === CHANNELS;
  const isOfMoney = isOfChannels && asked.metrics.includes('revenue') && !isShared;
  return {
    ...asked,
    metrics: isOfMoney ? [...asked.metrics, 'payments'] : asked.metrics,
    pagination: { limit: isOfMoney ? CHANNELS_MAX : ROWS + 1 },
    include: { total_rows: true },
  };
}

/**
 * The query that finds what is unattributed, whichever visit dimension a panel shows: the panel of channels sends the
 * same one.
 */
export const BY_CHANNEL: Asked = toFirstRows(
  toAsked({ measure: 'revenue', sort: 'revenue', direction: 'desc' }, CHANNELS),
  false,
);
