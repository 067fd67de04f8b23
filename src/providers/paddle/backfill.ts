import { isObject, type JsonObject, listAt, objectAt, textAt } from '../json.ts';
import type { Backfill, BackfillPage } from '../provider.ts';
import { readIso } from '../times.ts';
import { translateAdjustment, translateTransaction } from './translate.ts';

/** The most that Paddle puts on a page of transactions. */
const PER_PAGE = 30;

/** Paddle's history: completed transactions with their customers, then adjustments. */
export const paddleBackfill: Backfill = {
  findBaseUrl: ({ apiKey }) =>
    apiKey?.startsWith('pdl_sdbx_') ? 'https://sandbox-api.paddle.com' : 'https://api.paddle.com',
  lists: ['transactions', 'adjustments'],
  permissionOf: (list) => `${list}: read`,
  request: (page, { apiKey }) => ({
    path: `/${page.list}?${queryOf(page)}`,
    headers: { authorization: `Bearer ${apiKey}` },
  }),
  read: (page, answer) => {
    const objects = listAt(answer, 'data').filter(isObject);
    const translate = page.list === 'transactions' ? translateTransaction : translateAdjustment;
    const wanted = objects.filter((each) => isSince(each, page));
    return { translations: wanted.map(translate), cursor: nextOf(objectAt(answer, 'meta')) };
  },
};

function queryOf({ list, since, cursor }: BackfillPage): URLSearchParams {
  const query = new URLSearchParams({ per_page: String(PER_PAGE) });
  if (list === 'transactions') {
    query.set('status', 'completed');
    query.set('billed_at[GTE]', new Date(since).toISOString());
    query.set('order_by', 'billed_at[ASC]');
    query.set('include', 'customer');
  } else {
    query.set('action', 'refund,chargeback,chargeback_reverse');
  }
  if (cursor !== undefined) query.set('after', cursor);
  return query;
}

/** Adjustments cannot be asked for by time, and those of a subscription's old payments may be new. */
function isSince(object: JsonObject, { list, since }: BackfillPage): boolean {
  if (list === 'transactions') return true;
  const changedAt = readIso(object.updated_at) ?? readIso(object.created_at);
  return changedAt === undefined || changedAt >= since;
}

function nextOf(meta: JsonObject | undefined): string | undefined {
  const next = textAt(meta, 'pagination', 'next');
  if (objectAt(meta, 'pagination')?.has_more !== true || next === undefined) return undefined;
  return new URLSearchParams(next.slice(next.indexOf('?') + 1)).get('after') ?? undefined;
}
