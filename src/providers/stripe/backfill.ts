import { isObject, type JsonObject, listAt, textAt } from '../json.ts';
import type { Backfill, BackfillPage } from '../provider.ts';
import { failed, ignored, timeAt } from './objects.ts';
import { TRANSLATORS } from './translate.ts';

/** How each list is asked for, and the event that says the same of its objects. */
const LISTS: Readonly<Record<string, readonly [query: string, event: string]>> = {
  subscriptions: ['status=all', 'customer.subscription.updated'],
  'checkout/sessions': ['status=complete', 'checkout.session.completed'],
  invoices: ['status=paid&expand[]=data.payments', 'invoice.paid'],
  charges: ['', 'charge.succeeded'],
  refunds: ['', 'refund.updated'],
  disputes: ['', 'charge.dispute.updated'],
};

/** The events of objects that only thin events name. */
const MORE: Readonly<Record<string, string>> = {
  checkout: 'checkout.session.completed',
  payment_intents: 'payment_intent.succeeded',
  invoice_payments: 'invoice_payment.paid',
  customers: 'customer.updated',
};

/** Stripe's history, newest first. */
export const stripeBackfill: Backfill = {
  findBaseUrl: () => 'https://api.stripe.com',
  lists: Object.keys(LISTS),
  request: (page, { apiKey, settings: { account } }) => ({
    path: `/v1/${page.list}?${queryOf(page)}`,
    headers: {
      ...{ authorization: `Bearer ${apiKey}`, 'stripe-version': '2026-10-28.endive' },
      ...(account && { 'stripe-account': account }),
    },
  }),
  read: ({ list }, answer) => {
    const found = listAt(answer, 'data').filter(isObject);
    // What a thin event names is no list.
    const objects = isObject(answer) && textAt(answer, 'object') !== 'list' ? [answer] : found;
    const last = textAt(found.at(-1), 'id');
    const hasMore = isObject(answer) && answer.has_more === true;
    return {
      translations: objects.map((object) => translateObject(list, object)),
      cursor: hasMore ? last : undefined,
    };
  },
};

function queryOf({ list, since, cursor }: BackfillPage): URLSearchParams {
  const query = new URLSearchParams(LISTS[list]?.[0]);
  query.set('limit', '100');
  query.set('created[gte]', String(Math.floor(since / 1_000)));
  if (cursor !== undefined) query.set('starting_after', cursor);
  return query;
}

function translateObject(list: string, object: JsonObject) {
  if (object.livemode === false) return ignored('It is of test mode.');
  const translate = TRANSLATORS[LISTS[list]?.[1] ?? MORE[list] ?? ''];
  const at = timeAt(object, 'created');
  if (translate === undefined) return ignored('It is of no kind that says something.');
  return at === undefined ? failed('it does not say when it was made') : translate({ object, at });
}
