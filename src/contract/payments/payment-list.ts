import Type, { type Static } from 'typebox';
import { Money } from '../query-fields.ts';
import { VISITOR_ID_EXAMPLE, VisitorId } from '../text.ts';

/** Whether a payment is attributed, or why not. */
export const PAYMENT_STATES = [
  'attributed',
  'no_visitor',
  'unseen_visitor',
  'bot_visitor',
  'visit_after_payment',
  'unmatched_refund',
  'matched_refund',
  'voided',
] as const;
/** One of {@link PAYMENT_STATES}. */
export type PaymentState = (typeof PAYMENT_STATES)[number];

/** The states of money that no visit is credited with. */
export const UNATTRIBUTED_STATES: readonly PaymentState[] = [
  'no_visitor',
  'unseen_visitor',
  'bot_visitor',
  'visit_after_payment',
];
/** What a list can be of: one state, or `unattributed`: any of {@link UNATTRIBUTED_STATES}. */
export const LISTED_STATES = [...PAYMENT_STATES, 'unattributed'] as const;

const Instant = Type.String({ format: 'date-time' });

/** A payment as it is on record. */
export const ListedPayment = Type.Object({
  transaction_id: Type.String(),
  state: Type.Enum(PAYMENT_STATES, {
    description:
      '`attributed`: a visit of its person comes before it. Else why not: `no_visitor`: nothing leads to a visitor; `unseen_visitor`: the visitor has no visit; `bot_visitor`: bots’ visits only; `visit_after_payment`: later visits only. `unmatched_refund`: a refund of which no payment is known; `matched_refund`: one that was matched to a payment; `voided`: taken out by hand.',
  }),
  amount: Money,
  refunded: Money,
  renewal: Type.Boolean(),
  paid_at: Instant,
  service_visitor_id: Type.Optional(Type.String()),
  customer_id: Type.Optional(Type.String()),
  email: Type.Optional(Type.String({ description: 'With a key of scope `visitors:read`.' })),
  name: Type.Optional(Type.String({ description: 'With a key of scope `visitors:read`.' })),
  subscription_id: Type.Optional(Type.String()),
  product: Type.Optional(Type.String()),
  matched_to: Type.Optional(
    Type.String({ description: 'The payment that a refund without one was matched to.' }),
  ),
  refunds: Type.Array(
    Type.Object({ transaction_id: Type.String(), amount: Money, refunded_at: Instant }),
    { description: 'Refunds with ids of their own.' },
  ),
  changes: Type.Array(
    Type.Object({
      change: Type.Enum(['void', 'visitor']),
      by: Type.String({ description: 'The id of the key, or `command`.' }),
      at: Instant,
      before: Type.Optional(Type.String()),
      after: Type.Optional(Type.String()),
    }),
    { description: 'What was changed by hand.' },
  ),
});
export type ListedPayment = Static<typeof ListedPayment>;

/** A page of payments. */
export const PaymentsAnswer = Type.Object(
  {
    results: Type.Array(ListedPayment),
    meta: Type.Object({
      next_cursor: Type.Optional(Type.String({ description: 'Left out on the last page.' })),
    }),
  },
  { description: 'A page of payments, the latest recorded first.' },
);
export type PaymentsAnswer = Static<typeof PaymentsAnswer>;

/** A correction by hand of what was reported of a payment. */
export const PaymentCorrection = Type.Object(
  {
    service_visitor_id: Type.Union([VisitorId(), Type.Null()], {
      description: 'Who paid, in place of the visitor that was reported; `null` for nobody known.',
      examples: [VISITOR_ID_EXAMPLE],
    }),
  },
  { additionalProperties: false },
);
export type PaymentCorrection = Static<typeof PaymentCorrection>;
