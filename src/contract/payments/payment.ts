import Type, { type Static } from 'typebox';
import { optional } from '../optional.ts';
import { FOREIGN_ID_PATTERN, Text, VisitorId } from '../text.ts';

/** The largest amount of one payment, in units of its currency. */
export const AMOUNT_MAX = 1_000_000_000_000;

const TransactionId = (description: string) =>
  Text({ minLength: 1, maxLength: 255, pattern: FOREIGN_ID_PATTERN, description });

const Instant = (description: string) =>
  Text({
    maxLength: 64,
    description: `${description} ISO 8601 with an offset or \`Z\`, or a date (midnight in the site's time zone).`,
    examples: ['2026-11-20T14:30:00Z'],
  });

/** A payment or refund that a backend reports to `POST /api/v1/payments`. */
export const PaymentRequest = Type.Object(
  {
    amount: Type.Number({
      minimum: 0,
      maximum: AMOUNT_MAX,
      description:
        'Amount in units of the currency, read exactly from its decimal text. Extra decimals are rounded half up. 0 is a trial.',
      examples: [29.99],
    }),
    currency: Type.String({
      minLength: 3,
      maxLength: 3,
      description: 'ISO 4217 code, in any case.',
      examples: ['USD'],
    }),
    transaction_id: TransactionId(
      "The payment provider's identifier of the payment. Unique within the site for ever.",
    ),
    ...optional({
      service_visitor_id: VisitorId(),
      email: Text({ maxLength: 254, description: "The customer's e-mail address." }),
      name: Text({ maxLength: 255, description: "The customer's name." }),
      customer_id: Text({
        maxLength: 255,
        description: "The payment provider's identifier of the customer.",
      }),
      renewal: Type.Boolean({
        default: false,
        description: 'Whether this is a recurring payment.',
      }),
      refunded: Type.Boolean({
        default: false,
        description:
          'Whether the amount was paid back. An amount below the payment states the total paid back so far; the largest of several reports counts. To add up separate refunds, give each its own `transaction_id` and name the payment in `original_transaction_id`.',
      }),
      timestamp: Instant('When it was paid. Default: the time of the request.'),
      refunded_at: Instant('When it was paid back. Default: the time of the request.'),
      original_transaction_id: TransactionId(
        'The payment that this refund pays back, if the refund has its own `transaction_id`.',
      ),
      subscription_id: Text({
        maxLength: 255,
        description: 'The subscription that the payment belongs to.',
      }),
      product: Text({ maxLength: 255, description: 'The product that was paid for.' }),
    }),
  },
  {
    description:
      'Unknown fields are ignored. Optional fields that are `null` or empty count as absent. Duplicate fields are refused.',
  },
);
export type PaymentRequest = Static<typeof PaymentRequest>;

/** The answer to a recorded payment. */
export const PaymentAnswer = Type.Object(
  {
    message: Type.String({
      description: 'Says whether the payment could be attributed to a visitor.',
    }),
    transaction_id: Type.String(),
  },
  { description: 'The payment is recorded.' },
);
export type PaymentAnswer = Static<typeof PaymentAnswer>;

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

/** Facts that are known only after recording a report. */
export type Found = {
  /** The payment that a refund naming none was matched to. */
  readonly matchedTo?: string | undefined;
  /** Whether a refund naming no payment was matched to none. */
  readonly isUnmatched?: boolean;
  /** The payment that a refund names, and whether it is reported. */
  readonly refundOf?: { readonly transactionId: string; readonly isKnown: boolean };
  /** Whether the recorded visitor differs from the one this report names. */
  readonly hasOtherVisitor?: boolean;
  /** Whether the recorded visitor, or that there is none, was set by hand. */
  readonly isVisitorCorrected?: boolean;
};

/** What these facts make of the sentence about the visitor. */
function sentenceOf(found: Found): string | undefined {
  const { matchedTo, isUnmatched, refundOf, hasOtherVisitor, isVisitorCorrected } = found;
  if (matchedTo !== undefined) return `recorded. It was matched to payment ${matchedTo}.`;
  if (isUnmatched) {
    return 'recorded. It belongs to no known payment, or may belong to several. It is listed as unmatched_refund until one fits, or until a report names its original_transaction_id.';
  }
  if (refundOf !== undefined) {
    const { transactionId, isKnown } = refundOf;
    return `recorded. It is a refund of payment ${transactionId}${isKnown ? '' : ', which is not reported yet'}.`;
  }
  if (isVisitorCorrected)
    return 'recorded. Its visitor was set by hand, and reports do not change it.';
  if (!hasOtherVisitor) return undefined;
  return 'recorded. Another visitor is on record for it, and stays: its revenue goes to the traffic source of that visitor, if a visit of theirs is known.';
}

/** Says in the answer's message what was found. */
export function withFound(answer: string, found: Found): string {
  const sentence = sentenceOf(found);
  if (sentence === undefined) return answer;
  const { message, ...rest } = JSON.parse(answer) as PaymentAnswer;
  const [what = ''] = message.split(' ', 1);
  const messages = [...Object.values(MESSAGES), ...Object.values(MESSAGES_OF_CUSTOMERS)];
  const before = messages.find((each) => message.startsWith(`${what} ${each}`));
  const notes = before === undefined ? '' : message.slice(`${what} ${before}`.length);
  return JSON.stringify({ message: `${what} ${sentence}${notes}`, ...rest });
}

type AnsweredReport = {
  readonly transactionId: string;
  readonly refunded: boolean;
  readonly customerId?: string | undefined;
  readonly email?: string | undefined;
};

/** The response body for a recorded payment or refund. */
export function toPaymentAnswer(
  { transactionId, refunded, customerId, email }: AnsweredReport,
  attributed: Attributed,
  notes: readonly string[] = [],
): string {
  const what = refunded ? 'Refund' : 'Payment';
  const namesCustomer = customerId !== undefined || email !== undefined;
  const sentence = (namesCustomer && MESSAGES_OF_CUSTOMERS[attributed]) || MESSAGES[attributed];
  const message = [`${what} ${sentence}`, ...notes].join(' ');
  return JSON.stringify({ message, transaction_id: transactionId });
}
