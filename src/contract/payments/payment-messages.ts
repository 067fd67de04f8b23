import type { PaymentReport } from '#domain/money/payment-record.ts';
import type { FoundFacts } from '#domain/outcome.ts';
import type { PaymentAnswer } from './payment.ts';

/** What the answer says about a payment's visitor. */
export type Attributed =
  | 'no_visitor'
  | 'known_visitor'
  /** The visitor is known, but may have come only after the payment's timestamp. */
  | 'maybe_later_visitor'
  | 'unseen_visitor'
  | 'bot_visitor'
  /** The warehouse did not answer in time. The payment is recorded anyway. */
  | 'undecided';

/** About one report: earlier or later reports of the same payment may name its visitor. */
const MESSAGES: Readonly<Record<Attributed, string>> = {
  no_visitor:
    'recorded. This report names no visitor. It is attributed if another report of the payment names one, or if its customer is known.',
  known_visitor: "recorded and attributed to the visitor's traffic source.",
  maybe_later_visitor:
    "recorded. It is attributed to the traffic source of the visitor's visits before it, if there are any.",
  unseen_visitor:
    'recorded. The visitor has no pageview yet; it is attributed when one is recorded.',
  bot_visitor: 'recorded, and not attributed: its visitor is a bot.',
  undecided: "recorded. It is attributed to the visitor's traffic source, if there is one.",
};

/** About a report that names a customer, who may be known by visits of another visitor. */
const MESSAGES_OF_CUSTOMERS: Partial<typeof MESSAGES> = {
  unseen_visitor:
    'recorded. The visitor has no pageview yet; it is attributed when one is recorded, or if its customer is known.',
  bot_visitor: 'recorded. Its visitor is a bot; it is attributed only if its customer is known.',
};

/** What these facts make of the sentence about the visitor. */
function sentenceOf(found: FoundFacts): string | undefined {
  const { matchedTo, isUnmatched, refundOf, hasOtherVisitor, isVisitorCorrected } = found;
  if (matchedTo !== undefined) return `recorded. It was matched to payment ${matchedTo}.`;
  if (isUnmatched) {
    return 'recorded. No known payment matches it, so it changes no revenue. It is listed as unmatched_refund until one matches, or until a report names its original_transaction_id.';
  }
  if (refundOf !== undefined) {
    const { transactionId, isKnown } = refundOf;
    return `recorded. It is a refund of payment ${transactionId}${isKnown ? '' : ', which is not reported yet'}.`;
  }
  if (isVisitorCorrected)
    return 'recorded. Its visitor was set by hand, and reports do not change it.';
  if (!hasOtherVisitor) return undefined;
  return 'recorded. The visitor on record for it stays: its revenue goes to the traffic source of that visitor, if a visit of theirs is known.';
}

/** Says in the answer's message what was found. */
export function withFound(answer: string, found: FoundFacts): string {
  const sentence = sentenceOf(found);
  if (sentence === undefined) return answer;
  const { message, ...rest } = JSON.parse(answer) as PaymentAnswer;
  const [what = ''] = message.split(' ', 1);
  const messages = [...Object.values(MESSAGES), ...Object.values(MESSAGES_OF_CUSTOMERS)];
  const before = messages.find((each) => message.startsWith(`${what} ${each}`));
  const notes = before === undefined ? '' : message.slice(`${what} ${before}`.length);
  return JSON.stringify({ message: `${what} ${sentence}${notes}`, ...rest });
}

/** The response body for a recorded payment or refund. */
export function toPaymentAnswer(
  {
    transactionId,
    refunded,
    customerId,
    email,
  }: Pick<PaymentReport, 'transactionId' | 'refunded' | 'customerId' | 'email'>,
  attributed: Attributed,
  notes: readonly string[] = [],
): string {
  const what = refunded ? 'Refund' : 'Payment';
  const namesCustomer = customerId !== undefined || email !== undefined;
  const sentence = (namesCustomer && MESSAGES_OF_CUSTOMERS[attributed]) || MESSAGES[attributed];
  const message = [`${what} ${sentence}`, ...notes].join(' ');
  return JSON.stringify({ message, transaction_id: transactionId });
}
