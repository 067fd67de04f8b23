import type { AmountRead } from './amounts.ts';
import type {
  DisputeFact,
  LinkFact,
  Payer,
  PaymentFact,
  ProviderFact,
  RefundFact,
  Translation,
} from './facts.ts';

/** What an event says of a payment. What must be there and is not makes the translation fail. */
type PaymentDraft = Payer &
  Pick<
    PaymentFact,
    'recurring' | 'subscriptionId' | 'orderId' | 'product' | 'through' | 'twin' | 'rate'
  > & {
    readonly id: string | undefined;
    readonly aliases?: readonly (string | undefined)[];
    readonly amount: AmountRead;
    readonly paidAt: number | undefined;
  };

type RefundDraft = {
  readonly id: string | undefined;
  readonly of: string | undefined;
  readonly amount: AmountRead;
  readonly at: number | undefined;
  readonly state: RefundFact['state'];
};

type DisputeDraft = {
  readonly id: string | undefined;
  readonly of: string | undefined;
  /** Undefined: the whole payment. */
  readonly amount?: AmountRead | undefined;
  readonly at: number | undefined;
  readonly state: DisputeFact['state'];
};

type LinkDraft = Payer & {
  readonly sameMoney?: readonly (string | undefined)[];
  readonly subscriptionId?: string | undefined;
  readonly orderId?: string | undefined;
  readonly through?: string | undefined;
};

/** A payment, if the event says all that a payment needs. */
export function statePayment(draft: PaymentDraft): Translation {
  const { aliases = [], amount, paidAt, recurring, twin, rate } = draft;
  const id = toId(draft.id);
  if (id === undefined) return failed('It states no id of the payment.');
  if (!amount.ok) return failed(amount.error);
  if (paidAt === undefined) return failed('It does not say when the payment was made.');
  const others = toIds(aliases).filter((each) => each !== id);
  return stated({
    ...{ fact: 'payment', id, amount: amount.value, paidAt, recurring },
    ...(others.length > 0 ? { aliases: others } : {}),
    ...withoutUndefined({ ...payerOf(draft), twin, rate }),
    ...withoutUndefined({
      subscriptionId: toId(draft.subscriptionId),
      orderId: toId(draft.orderId),
      product: toText(draft.product),
      through: toGatewayId(draft.through),
    }),
  });
}

/** What several providers call the states of a refund. With others, it is under way. */
export const REFUND_STATES: ReadonlyMap<string, RefundFact['state']> = new Map([
  ['succeeded', 'done'],
  ['failed', 'undone'],
  ['canceled', 'undone'],
]);

/** A refund, if the event says all that a refund needs. */
export function stateRefund(draft: RefundDraft): Translation {
  const { amount, at, state } = draft;
  const id = toId(draft.id);
  const of = toId(draft.of);
  if (id === undefined) return failed('It states no id of the refund.');
  if (of === undefined) return failed('It does not say which payment was refunded.');
  if (!amount.ok) return failed(amount.error);
  if (at === undefined) return failed('It does not say when the refund was made.');
  return stated({ fact: 'refund', id, of, amount: amount.value, at, state });
}

/** A dispute, if the event says all that a dispute needs. */
export function stateDispute(draft: DisputeDraft): Translation {
  const { amount, at, state } = draft;
  const id = toId(draft.id);
  const of = toId(draft.of);
  if (id === undefined) return failed('It states no id of the dispute.');
  if (of === undefined) return failed('It does not say which payment is disputed.');
  if (amount?.ok === false) return failed(amount.error);
  if (at === undefined) return failed('It does not say when the dispute changed.');
  return stated({
    ...{ fact: 'dispute', id, of, at, state },
    ...(amount === undefined ? {} : { amount: amount.value }),
  });
}

/** Ids that belong together. Ignored if there are not two of them. */
export function stateLink(draft: LinkDraft): Translation {
  const sameMoney = toIds(draft.sameMoney ?? []);
  const link: LinkFact = {
    fact: 'link',
    ...(sameMoney.length > 0 ? { sameMoney } : {}),
    ...withoutUndefined({
      ...payerOf(draft),
      subscriptionId: toId(draft.subscriptionId),
      orderId: toId(draft.orderId),
      through: toGatewayId(draft.through),
    }),
  };
  const { fact: _, sameMoney: ids = [], ...others } = link;
  const isLinking = ids.length + Object.keys(others).length > 1;
  return isLinking ? stated(link) : ignored('It names nobody and nothing that belongs together.');
}

/** Says nothing about money or people. */
export function ignored(why: string): Translation {
  return { kind: 'ignored', why };
}

/** Is not what the provider documents. */
export function failed(why: string): Translation {
  return { kind: 'failed', why };
}

/** All facts of several translations. If one failed, all failed; ignored ones add nothing. */
export function join(...translations: readonly Translation[]): Translation {
  const fault = translations.find(({ kind }) => kind === 'failed' || kind === 'fetch');
  if (fault !== undefined) return fault;
  const facts = translations.flatMap((each) => (each.kind === 'facts' ? each.facts : []));
  if (facts.length > 0) return { kind: 'facts', facts };
  return translations[0] ?? ignored('It states nothing.');
}

/** Limits of a payment's texts. Source: the contract. */
const TEXT_LENGTH_MAX = 255;
const EMAIL_LENGTH_MAX = 254;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what no id may hold.
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

function stated(fact: ProviderFact): Translation {
  return { kind: 'facts', facts: [fact] };
}

function payerOf({ visitorId, site, customerId, email, name }: Payer) {
  const person = { customerId: toId(customerId), email: toEmail(email), name: toText(name) };
  return { visitorId, site: toText(site), ...person };
}

function toIds(ids: readonly (string | undefined)[]): string[] {
  return [...new Set(ids.flatMap((each) => toId(each) ?? []))];
}

function toId(id: string | undefined): string | undefined {
  if (id === undefined || id === '' || id.length > TEXT_LENGTH_MAX) return undefined;
  return CONTROL.test(id) || !id.isWellFormed() ? undefined : id;
}

/** Numbers are left out: different gateways may give the same. */
function toGatewayId(id: string | undefined): string | undefined {
  return id !== undefined && /^(?=.*[a-z])[\w.:-]{8,}$/i.test(id) ? toId(id) : undefined;
}

function toText(text: string | undefined): string | undefined {
  const plain = text?.toWellFormed().replaceAll('\0', '').trim().slice(0, TEXT_LENGTH_MAX);
  return plain === '' ? undefined : plain?.toWellFormed();
}

function toEmail(email: string | undefined): string | undefined {
  if (email === undefined || email.length > EMAIL_LENGTH_MAX || !email.isWellFormed()) {
    return undefined;
  }
  return /^[^@\s]+@[^@\s]+$/.test(email) ? email.toLowerCase() : undefined;
}

/** With `exactOptionalPropertyTypes`, a missing property is not one that is undefined. */
function withoutUndefined<T extends object>(object: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
}
