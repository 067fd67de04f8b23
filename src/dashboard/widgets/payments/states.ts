import type { ListedPayment, ListedState, PaymentState } from '#contract/payments/payment-list.ts';
import { COUNTED_STATUSES, type PaymentStatus } from '#domain/money/payment-status.ts';

type StateForm = {
  readonly label: string;
  readonly mood: 'good' | 'open' | 'gone';
  readonly reason: string;
  /** How to fix it, if there is anything to fix. */
  readonly remedy?: string;
  /** What an admin can do for this payment, if naming its visitor fixes it. */
  readonly byHand?: string;
  /** Whether counting visits for longer fixes it. */
  readonly takesWindow?: boolean;
};

/** The payment states in plain words. */
export const STATE_FORMS: Readonly<Record<PaymentState, StateForm>> = {
  attributed: {
    label: 'Attributed',
    mood: 'good',
    reason: 'A visit before the payment gets the credit.',
  },
  no_visitor: {
    label: 'No visitor',
    mood: 'open',
    reason: 'The payment names no visitor, and its customer is otherwise unknown.',
    remedy: 'Send service_visitor_id, the value of the visitor’s cookie, with each payment.',
    byHand: 'For this one, set the visitor.',
  },
  unseen_visitor: {
    label: 'Visitor not seen',
    mood: 'open',
    reason: 'The payment’s visitor has no recorded visits.',
    remedy:
      'Check that the script runs on the pages before the checkout, and that the id sent is the one in its cookie.',
    byHand: 'If it is not, set the visitor.',
  },
  bot_visitor: {
    label: 'Bot',
    mood: 'open',
    reason: 'All visits of the payment’s visitor are by a bot.',
    remedy: 'This is typical of automated test purchases.',
    byHand: 'If it was one, void the payment. If a person paid, set the visitor.',
  },
  visit_after_payment: {
    label: 'Visit after payment',
    mood: 'open',
    reason: 'The visitor’s first visit was after the payment.',
    remedy: 'Check the timestamps of your payments, including the time zone.',
    byHand: 'If the buyer came earlier as another visitor, set that visitor.',
  },
  visit_before_window: {
    label: 'Too long ago',
    mood: 'open',
    reason: 'All visits before the payment are older than the chosen window.',
    remedy: 'Let visits count for longer, or for ever.',
    takesWindow: true,
  },
  unmatched_refund: {
    label: 'Refund without payment',
    mood: 'open',
    reason: 'A refund without a known payment. It changes no revenue and no number of payments.',
    remedy: 'Report it again with original_transaction_id, the id of the refunded payment.',
  },
  voided: { label: 'Voided', mood: 'gone', reason: 'Excluded from all reports by hand.' },
};

/** What became of a payment's money, in plain words. */
export const STATUS_LABELS: Readonly<Record<PaymentStatus, string>> = {
  paid: 'Paid',
  renewal: 'Renewals',
  trial: 'Trials (payments of 0)',
  partly_refunded: 'Partly refunded',
  refunded: 'Refunded',
  disputed: 'Disputed',
  unmatched_refund: STATE_FORMS.unmatched_refund.label,
  voided: STATE_FORMS.voided.label,
};

/** The list's choices: states and statuses, or the payments that the period's refunds are of. */
export const STATE_CHOICES: readonly {
  readonly value: ListedState | 'refunds' | '';
  readonly label: string;
}[] = [
  { value: '', label: 'All payments' },
  ...COUNTED_STATUSES.map((value) => ({ value, label: STATUS_LABELS[value] })),
  { value: 'refunds', label: 'Refunds made in the period' },
  { value: 'unattributed', label: 'Unattributed' },
  ...(Object.keys(STATE_FORMS) as PaymentState[]).map((value) => ({
    value,
    label: STATE_FORMS[value].label,
  })),
];

/** Who corrected a payment, by name, or what is known of them instead. */
export function changedBy(change: Pick<ListedPayment['changes'][number], 'by' | 'by_name'>) {
  if (change.by_name !== undefined) return change.by_name;
  if (change.by === 'command') return 'a command on the server';
  return change.by.startsWith('user_') ? 'a former member' : 'an unnamed key';
}
