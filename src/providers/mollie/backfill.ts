import type { Translation } from '../facts.ts';
import { isObject, type JsonObject, listAt, textAt } from '../json.ts';
import type { Backfill } from '../provider.ts';
import { readIso } from '../times.ts';
import { translateChargeback, translatePayment, translateRefund } from './translate.ts';

const LIMIT = '250';

const LISTS: Readonly<Record<string, (each: JsonObject) => Translation>> = {
  payments: translatePayment,
  refunds: (each) => translateRefund(each),
  chargebacks: translateChargeback,
};

/** Mollie's history, newest first. No list can be asked for by time. */
export const mollieBackfill: Backfill = {
  findBaseUrl: () => 'https://api.mollie.com',
  lists: Object.keys(LISTS),
  permissionOf: (list) => (list === 'refunds' ? 'refunds.read' : 'payments.read'),
  request: ({ list, cursor }, { apiKey }) => {
    const query = new URLSearchParams({ limit: LIMIT });
    if (cursor !== undefined) query.set('from', cursor);
    return { path: `/v2/${list}?${query}`, headers: { authorization: `Bearer ${apiKey}` } };
  },
  read: ({ list, since }, answer) => {
    const objects = listAt(answer, '_embedded', list).filter(isObject);
    // A payment that was asked for by its id is no list.
    const found = isObject(answer) && textAt(answer, 'id') ? [answer] : objects;
    const translate = LISTS[list];
    return {
      translations: translate === undefined ? [] : found.map((each) => translate(each)),
      cursor: isBefore(objects.at(-1), since)
        ? undefined
        : fromOf(textAt(answer, '_links', 'next', 'href')),
    };
  },
};

function isBefore(object: JsonObject | undefined, since: number): boolean {
  const createdAt = readIso(object?.createdAt);
  return createdAt !== undefined && createdAt < since;
}

function fromOf(next: string | undefined): string | undefined {
  if (next === undefined) return undefined;
  return new URLSearchParams(next.slice(next.indexOf('?') + 1)).get('from') ?? undefined;
}
