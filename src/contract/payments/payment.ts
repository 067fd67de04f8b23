import Type, { type Static } from 'typebox';
import { optional } from '../optional.ts';
import { FOREIGN_ID_PATTERN } from '../patterns.ts';
import { Text, VisitorId } from '../text.ts';

/** The largest amount of one payment, in units of its currency. */
export const AMOUNT_MAX = 1_000_000_000_000;

const TransactionId = (description: string) =>
  Text({ minLength: 1, maxLength: 255, pattern: FOREIGN_ID_PATTERN, description });

const Instant = (description: string) =>
  Text({
    maxLength: 64,
    description: `${description} ISO 8601; without an offset, in the site's time zone. A number is seconds or milliseconds since 1970.`,
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
      "The payment provider's identifier of the payment. Unique within the site for ever. A number is its digits.",
    ),
    ...optional({
      service_visitor_id: VisitorId(),
      email: Text({ maxLength: 254, description: "The customer's e-mail address." }),
      customer_email: Text({ maxLength: 254, description: 'Another name of `email`.' }),
      name: Text({ maxLength: 255, description: "The customer's name." }),
      customer_name: Text({ maxLength: 255, description: 'Another name of `name`.' }),
      customer_id: Text({
        maxLength: 255,
        description: "The payment provider's identifier of the customer. A number is its digits.",
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
