import type { PreviewAnswer } from '#contract/sites/providers.ts';
import { findCurrency } from '#domain/money/currencies.ts';
import { formatAmount } from '#domain/money/format-amount.ts';
import type { FactAmount, ProviderFact } from '../facts.ts';
import { translateEvent } from '../inbox/translate-event.ts';

type InboxEvent = Parameters<typeof translateEvent>[2];
type Settings = Readonly<Record<string, string>>;

/** What would become of an event with these settings. Changes nothing. */
export function previewEvent(
  provider: string,
  settings: Settings,
  event: InboxEvent | undefined,
): PreviewAnswer {
  if (event === undefined) {
    return { received_at: null, body: null, state: null, why: null, becomes: [] };
  }
  const { state, error = null, facts } = translateEvent(provider, settings, event);
  return {
    ...{ received_at: toIso(event.receivedAt), body: event.body, state, why: error },
    becomes: facts.flatMap(toRows),
  };
}

function toRows(fact: ProviderFact): PreviewAnswer['becomes'] {
  const rows = Object.entries(NAMES).map(([field, name]) => ({
    name,
    value: toText(field, (fact as Readonly<Record<string, unknown>>)[field]),
  }));
  return rows.filter(({ value }) => value !== '');
}

/** The fields of facts, in the order and the words in which people read them. */
const NAMES = {
  ...{ fact: 'It is a', id: 'Id', of: 'Of the payment', amount: 'Amount', state: 'State' },
  ...{ paidAt: 'Paid', at: 'Time', recurring: 'Renewal', subscriptionId: 'Subscription' },
  ...{ product: 'Product', visitorId: 'Visitor', customerId: 'Customer', email: 'E-mail' },
  name: 'Name',
};

function toText(field: string, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (field === 'amount') return toMoney(value as FactAmount);
  if (field === 'recurring') {
    if (value === 'unless_first') return 'unless it is the first of its subscription';
    return value === true ? 'yes' : 'no';
  }
  return field === 'at' || field === 'paidAt' ? toIso(Number(value)) : String(value);
}

function toMoney({ minor, currency: code }: FactAmount): string {
  const currency = findCurrency(code);
  return currency === undefined ? '' : `${formatAmount(minor, currency)} ${code}`;
}

function toIso(at: number): string {
  return new Date(at).toISOString();
}
