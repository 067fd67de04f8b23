import { isObject, listAt, textAt } from '../json.ts';
import type { Backfill, BackfillPage } from '../provider.ts';
import { translateReported } from './translate.ts';

/** The longest time that one report may cover. */
const WINDOW_MS = 31 * 86_400_000;

/** PayPal's history: its report of transactions, month by month. */
export const payPalBackfill: Backfill = {
  findBaseUrl: ({ settings }) =>
    settings.mode === 'sandbox' ? 'https://api-m.sandbox.paypal.com' : 'https://api-m.paypal.com',
  yearsMax: 3,
  ...{ lists: ['transactions'], permissionOf: () => 'Transaction search' },
  login: ({ apiKey, settings: { client_id } }) => {
    if (apiKey === undefined || client_id === undefined) return undefined;
    const credentials = Buffer.from(`${client_id}:${apiKey}`).toString('base64');
    return {
      ...{ method: 'POST', path: '/v1/oauth2/token', body: 'grant_type=client_credentials' },
      headers: {
        authorization: `Basic ${credentials}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
    };
  },
  request: (page, { apiKey }) => {
    const { from, to, number } = placeOf(page);
    const query = new URLSearchParams({
      start_date: new Date(from).toISOString(),
      end_date: new Date(to).toISOString(),
      ...{ fields: 'all', page_size: '500', page: String(number) },
    });
    return {
      path: `/v1/reporting/transactions?${query}`,
      headers: { authorization: `Bearer ${apiKey}` },
    };
  },
  read: (page, answer) => {
    const { from, to, number } = placeOf(page);
    const found = listAt(answer, 'transaction_details').filter(isObject);
    const hasMore = Number(textAt(answer, 'total_pages')) > number;
    const next = hasMore ? `${from} ${number + 1}` : `${to} 1`;
    return {
      translations: found.map(translateReported),
      cursor: hasMore || to < page.until ? next : undefined,
    };
  },
};

/** A cursor is the start of a window and the page in it. */
function placeOf({ since, until, cursor }: BackfillPage) {
  const [from = since, number = 1] = (cursor ?? '').split(' ').filter(Boolean).map(Number);
  return { from, to: Math.min(from + WINDOW_MS, until), number };
}
