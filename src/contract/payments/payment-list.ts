import Type, { type Static } from 'typebox';
import { ATTRIBUTION_MODELS } from '#domain/attribution/models.ts';
import { COUNTED_STATUSES, PAYMENT_STATUSES } from '#domain/money/payment-status.ts';
import { MONEY_META, Money, Strict } from '../query-fields.ts';
import { OptionalText, TRANSACTION_ID_EXAMPLE, VISITOR_ID_EXAMPLE, VisitorId } from '../text.ts';

const UNATTRIBUTED = [
  'no_visitor',
  'unseen_visitor',
  'bot_visitor',
  'visit_after_payment',
  'visit_before_window',
] as const;
/** States of a payment: attributed, or why not. */
export const PAYMENT_STATES = [
  'attributed',
  ...UNATTRIBUTED,
  'unmatched_refund',
  'voided',
] as const;
/** One of {@link PAYMENT_STATES}. */
export type PaymentState = (typeof PAYMENT_STATES)[number];
/** States of payments that no visit is credited for. */
export const UNATTRIBUTED_STATES: readonly PaymentState[] = UNATTRIBUTED;

/** States and statuses that a list can filter by. `unattributed` means any of {@link UNATTRIBUTED_STATES}. */
export const LISTED_STATES = [...PAYMENT_STATES, 'unattributed', ...COUNTED_STATUSES] as const;
/** One of {@link LISTED_STATES}. */
export type ListedState = (typeof LISTED_STATES)[number];

const Instant = Type.String({ format: 'date-time' });
const isTrue = (description: string) => Type.Optional(Type.Literal(true, { description }));

const CreditedVisit = Type.Object({
  at: Instant,
  channel: Type.String(),
  source: Type.String(),
});

const PAYMENT = {
  transaction_id: Type.String(),
  state: Type.Enum(PAYMENT_STATES, {
    description:
      '`attributed`: its person has a visit before it. Otherwise, why not: `no_visitor`: nothing leads to a visitor; `unseen_visitor`: the visitor has no visit; `bot_visitor`: only bots’ visits; `visit_after_payment`: only later visits; `visit_before_window`: only visits before the `lookback_days`; `unmatched_refund`: a refund of an unknown payment; `voided`: voided by hand.',
  }),
  status: Type.Enum(PAYMENT_STATUSES, {
    description:
      'What became of the money: `paid` and `renewal`: nothing was refunded; `trial`: a payment of 0; `partly_refunded` and `refunded`, renewals included; `disputed`: a dispute, open or lost, took back all or a part; `unmatched_refund`: no payment is reported, only refunds; `voided`.',
  }),
  amount: Money,
  refunded: Money,
  renewal: Type.Boolean(),
  paid_at: Instant,
  service_visitor_id: Type.Optional(Type.String()),
  customer_id: Type.Optional(Type.String()),
  email: OptionalText('Requires scope `visitors:read`.'),
  name: OptionalText('Requires scope `visitors:read`.'),
  subscription_id: Type.Optional(Type.String()),
  product: Type.Optional(Type.String()),
  provider: OptionalText('The connected provider that states it, such as `stripe`.'),
  credited: Type.Optional(
    Type.Object(
      { visits: Type.Integer(), first: CreditedVisit, last: CreditedVisit },
      {
        description:
          'The visits that share the credit under the `model`, if any does: how many, the first and the last. A visit that is arrived at again counts once for each arrival.',
      },
    ),
  ),
  refunds: Type.Array(
    Type.Object({
      transaction_id: Type.String({
        description: 'The payment’s own id if the refund was reported under it.',
      }),
      amount: Money,
      refunded_at: Instant,
      matched: isTrue('The refund named no payment, and this one was found.'),
      disputed: isTrue('It was taken back in a dispute, which is open or lost.'),
    }),
  ),
  changes: Type.Array(
    Type.Object({
      change: Type.Enum(['void', 'visitor']),
      by: Type.String({ description: 'The id of the key or member, or `command`.' }),
      by_name: OptionalText(
        'The name of the key or member. Requires scope `visitors:read`; absent for a member who left.',
      ),
      at: Instant,
      before: Type.Optional(Type.String()),
      after: Type.Optional(Type.String()),
    }),
    { description: 'Corrections by hand.' },
  ),
};

/** A recorded payment. */
export const ListedPayment = Type.Object(PAYMENT, { title: 'Payment' });
export type ListedPayment = Static<typeof ListedPayment>;

/** Sums of payments of one status and currency. */
const PaymentTotals = Type.Object(
  {
    ...{ status: Type.Enum(PAYMENT_STATUSES), payments: Type.Integer() },
    ...{ amount: Money, refunded: Money },
  },
  {
    description:
      'All payments of the period that match the filters, in whatever state: one row for each status and currency. Only with `totals=true`.',
  },
);

/** A page of payments. */
export const PaymentsAnswer = Type.Object(
  {
    results: Type.Array(ListedPayment),
    meta: Type.Object({
      next_cursor: OptionalText('Absent on the last page.'),
      totals: Type.Optional(Type.Array(PaymentTotals)),
      ...MONEY_META,
    }),
  },
  { description: 'A page of payments, latest paid first.' },
);
export type PaymentsAnswer = Static<typeof PaymentsAnswer>;

/** How many payments are listed. */
export const PAYMENT_LIMIT = { max: 500, byDefault: 100 } as const;

/** Who gets the credit for payments. */
const CREDIT = {
  model: Type.Optional(
    Type.Enum(ATTRIBUTION_MODELS, {
      description: `The attribution model of \`credited\`: \`${ATTRIBUTION_MODELS[0]}\` by default.`,
    }),
  ),
  lookback_days: OptionalText(
    'Only visits at most this many days before a payment get its credit, 1 to 730; any visit by default.',
  ),
};
/** The parameters of a list of payments, besides its site. */
export const PAYMENT_PARAMS = {
  state: Type.Optional(
    Type.Enum(LISTED_STATES, {
      description:
        'A state or a status. `unattributed` stands for every state in which no visit is credited.',
    }),
  ),
  service_visitor_id: OptionalText('Only payments of this visitor.'),
  customer_id: OptionalText('Only payments of this customer.'),
  email: OptionalText('Only payments with this e-mail address; needs the scope `visitors:read`.'),
  subscription_id: OptionalText('Only payments of this subscription.'),
  product: OptionalText('Only payments for this product.'),
  provider: OptionalText('Only payments that this connected provider states, such as `stripe`.'),
  channel: OptionalText('Only payments with a credited visit from this channel.'),
  source: OptionalText('Only payments with a credited visit from this source.'),
  search: OptionalText(
    'Only payments with this text in an id or the product, and in the e-mail address with scope `visitors:read`.',
  ),
  from: OptionalText(
    'Only payments made on or after this day in the site’s time zone, `2026-11-01`, or from this instant on, `2026-11-01T09:00:00Z`.',
  ),
  to: OptionalText('Only payments made on or before this day, or before this instant.'),
  refunded_from: OptionalText('Only payments with a refund made on or after this day.'),
  refunded_to: OptionalText('Only payments with a refund made on or before this day.'),
  totals: Type.Optional(
    Type.Enum(['true'], { description: 'Whether to sum all payments that match the filters.' }),
  ),
  ...CREDIT,
  limit: OptionalText(
    `Maximum number of payments, 1 to ${PAYMENT_LIMIT.max}; ${PAYMENT_LIMIT.byDefault} by default.`,
  ),
  cursor: OptionalText('The `next_cursor` of the previous page, with the same filters.'),
};
/** The parameters of a list of payments. */
export const PaymentsParams = Type.Object({
  site_id: OptionalText('The key’s own site.'),
  ...PAYMENT_PARAMS,
});
/** The parameters of one payment. */
export const OnePaymentParams = Type.Object(CREDIT);

/** The path of one payment. */
export const PaymentPath = Type.Object({
  id: Type.String({ description: 'The `transaction_id`.', examples: [TRANSACTION_ID_EXAMPLE] }),
});
/** One payment as an answer. */
export const OnePayment = { ...ListedPayment, description: 'The payment.' };
/** A manual correction of a payment. */
export const PaymentCorrection = Strict({
  service_visitor_id: Type.Union([VisitorId(), Type.Null()], {
    description: 'A visitor id, in place of the reported one; `null` for no known visitor.',
    examples: [VISITOR_ID_EXAMPLE],
  }),
});
