import type { LISTED_STATES, PaymentState } from '#contract/payments/payment-list.ts';

/** A state in words: what it means, and what would mend it. */
export type StateForm = {
  readonly label: string;
  readonly mood: 'good' | 'open' | 'gone';
  readonly reason: string;
  /** What to do; nothing where there is nothing to mend. */
  readonly remedy?: string;
  /** Whether naming the visitor by hand can mend it. */
  readonly takesVisitor?: boolean;
};

/** The states of payments, in people's words. */
export const STATE_FORMS: Readonly<Record<PaymentState, StateForm>> = {
  attributed: {
    label: 'Attributed',
    mood: 'good',
    reason: 'A visit of the buyer comes before it, and gets the credit.',
  },
  no_visitor: {
    label: 'No visitor',
    mood: 'open',
    reason: 'The payment names no visitor, and its customer is known from nowhere else.',
    remedy:
      'Send service_visitor_id with each payment: it is the value of the visitor’s cookie. For this one, name the visitor by hand.',
    takesVisitor: true,
  },
  unseen_visitor: {
    label: 'Visitor not seen',
    mood: 'open',
    reason: 'The visitor that the payment names has no visit on record.',
    remedy:
      'See that the script runs on the pages before the checkout, and that the id sent is the one of its cookie. If it is another one, name the visitor by hand.',
    takesVisitor: true,
  },
  bot_visitor: {
    label: 'Bot',
    mood: 'open',
    reason: 'All visits of the visitor that the payment names are those of bots.',
    remedy:
      'Test purchases of a script often look so: void the payment if it is one. If a person paid, name their visitor by hand.',
    takesVisitor: true,
  },
  visit_after_payment: {
    label: 'Visited later only',
    mood: 'open',
    reason: 'The visitor’s first visit began after the payment.',
    remedy:
      'See that the timestamp of payments is right, with its zone. If the buyer came before as somebody else, name that visitor by hand.',
    takesVisitor: true,
  },
  unmatched_refund: {
    label: 'Refund without payment',
    mood: 'open',
    reason: 'A refund of which no payment is known; it changes no revenue.',
    remedy: 'Report it again with original_transaction_id, the id of the payment it pays back.',
  },
  matched_refund: {
    label: 'Refund, matched',
    mood: 'good',
    reason: 'A refund that named no payment, and was matched to the only one it can be of.',
  },
  voided: {
    label: 'Voided',
    mood: 'gone',
    reason: 'Taken out of all figures by hand.',
  },
};

type ListedState = (typeof LISTED_STATES)[number];

/** What a list can be narrowed to. */
export const STATE_CHOICES: readonly {
  readonly value: ListedState | '';
  readonly label: string;
}[] = [
  { value: '', label: 'All payments' },
  { value: 'unattributed', label: 'Unattributed' },
  ...(Object.keys(STATE_FORMS) as PaymentState[]).map((value) => ({
    value,
    label: STATE_FORMS[value].label,
  })),
];

/** The parameters that a text may be searched by. */
export function toSearches(text: string): readonly string[] {
  const wanted = text.trim();
  if (wanted === '') return [];
  const names = wanted.includes('@')
    ? ['email']
    : ['customer_id', 'service_visitor_id', 'subscription_id'];
  return names.map((name) => new URLSearchParams({ [name]: wanted }).toString());
}
