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

/** A payment or refund as a backend reports it to `POST /api/v1/payments`. */
export const PaymentRequest = Type.Object(
  {
    amount: Type.Number({
      minimum: 0,
      maximum: AMOUNT_MAX,
      description:
        'Amount in units of the currency, read exactly from its decimal text; more decimals than the currency has are rounded half up. 0 is a trial.',
      examples: [29.99],
    }),
    currency: Type.String({
      minLength: 3,
      maxLength: 3,
      description: 'ISO 4217 code, in any case.',
      examples: ['USD'],
    }),
    transaction_id: TransactionId(
      "The payment provider's identifier of the payment, unique within the site for ever.",
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
          'Whether the amount was paid back. A smaller amount than the payment is what was paid back so far; the largest of several reports counts. Refunds that add up have their own transaction_id and name their original_transaction_id.',
      }),
      timestamp: Instant('When it was paid; the time of the request by default.'),
      refunded_at: Instant('When it was paid back; the time of the request by default.'),
      original_transaction_id: TransactionId(
        'The payment that this refund, with an identifier of its own, pays back.',
      ),
      subscription_id: Text({
        maxLength: 255,
        description: 'The subscription that the payment belongs to.',
      }),
      product: Text({ maxLength: 255, description: 'The product.' }),
    }),
  },
  {
    description:
      'Unknown fields are ignored; an optional field that is `null` or empty is absent; a field given twice is refused.',
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

/** What the answer can say of a payment's visitor. */
export type Attributed =
  | 'no_visitor'
  | 'known_visitor'
  /** The visitor is known, but perhaps not from before the payment's own timestamp. */
  | 'maybe_later_visitor'
  | 'unseen_visitor'
  | 'bot_visitor'
  /** The warehouse did not say in time; the payment is recorded all the same. */
  | 'undecided';

/** Said of one report: others of the same payment may have named its visitor, or may yet. */
const MESSAGES: Readonly<Record<Attributed, string>> = {
  no_visitor:
    'recorded. This report names no visitor: it is attributed if another report of the payment does, or if its customer is known.',
  known_visitor: "recorded and attributed to the visitor's traffic source.",
  maybe_later_visitor:
    "recorded. It is attributed to the traffic source of the visitor's visits before it, if there are any.",
  unseen_visitor:
    'recorded. The visitor has no pageview yet; it is attributed when one is recorded.',
  bot_visitor: 'recorded, and not attributed: its visitor is a bot.',
  undecided: "recorded. It is attributed to the visitor's traffic source, if there is one.",
};

/** What only recording a report finds out. */
export type Found = {
  /** The payment that a refund was matched to which names none. */
  readonly matchedTo?: string | undefined;
  /** Whether the payment has another visitor than this report names. */
  readonly hasOtherVisitor?: boolean;
};

const OTHER_VISITOR = 'It has another visitor on record, whose traffic source it is attributed to.';

/** The same answer with what was found out. */
export function withFound(answer: string, { matchedTo, hasOtherVisitor }: Found): string {
  if (matchedTo === undefined && !hasOtherVisitor) return answer;
  const { message, ...rest } = JSON.parse(answer);
  const said = hasOtherVisitor ? `${message.split(' ')[0]} recorded. ${OTHER_VISITOR}` : message;
  const matched = matchedTo === undefined ? [] : [`It was matched to payment ${matchedTo}.`];
  return JSON.stringify({ message: [said, ...matched].join(' '), ...rest });
}

/** The body that answers a recorded payment, or a refund. */
export function toPaymentAnswer(
  { transactionId, refunded }: { readonly transactionId: string; readonly refunded: boolean },
  attributed: Attributed,
  notes: readonly string[] = [],
): string {
  const what = refunded ? 'Refund' : 'Payment';
  const message = [`${what} ${MESSAGES[attributed]}`, ...notes].join(' ');
  return JSON.stringify({ message, transaction_id: transactionId });
}
