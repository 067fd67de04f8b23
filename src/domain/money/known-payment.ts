import type { PaymentRecord, RefundRecord } from './payment-record.ts';
import type { PaymentStatus } from './payment-status.ts';

/** A recorded payment, with its refunds, its person's visitors and its manual changes. */
export type KnownPayment = {
  readonly position: PaymentPosition;
  readonly transactionId: string;
  readonly record: PaymentRecord;
  readonly status: PaymentStatus;
  readonly refunds: readonly KnownRefund[];
  readonly visitorIds: readonly string[];
  readonly changes: readonly PaymentChange[];
};

/** A refund. One that is reported under the payment's id has that id. */
export type KnownRefund = Pick<RefundRecord, 'amountMinor' | 'isMatched' | 'isDispute'> & {
  readonly transactionId: string;
  readonly refundedAt: number;
};

/** A payment's place in the list: by time of payment, then in the order of recording. */
export type PaymentPosition = { readonly paidAt: number; readonly id: number };

/** A manual change. */
export type PaymentChange = {
  readonly change: 'void' | 'visitor';
  readonly by: string;
  readonly at: number;
  readonly before: string | undefined;
  readonly after: string | undefined;
};

/** The author and time (in milliseconds) of a manual change. */
export type ChangedBy = { readonly by: string; readonly at: number };

/** A filter on payments. Missing fields match everything. */
export type PaymentFilter = {
  readonly [Name in
    | 'customerId'
    | 'email'
    | 'visitorId'
    | 'subscriptionId'
    | 'product'
    | 'provider']?: string | undefined;
} & {
  /** Part of an id, of the product, or of the e-mail address if the reader may see it. */
  readonly search?: { readonly text: string; readonly isPersonal: boolean } | undefined;
  /** When one of its refunds was made. */
  readonly refunded?: PaidIn | undefined;
};

/** A time range in milliseconds. A missing end is open. */
export type PaidIn = { readonly from?: number | undefined; readonly before?: number | undefined };

/** A page of payments: up to a limit, beyond a position, paid in a time range, with one of some statuses. */
export type WantedPayments = {
  readonly beyond?: PaymentPosition | undefined;
  readonly limit: number;
  readonly paid?: PaidIn;
  readonly statuses?: readonly PaymentStatus[] | undefined;
};

/** Sums of payments of a currency. */
export type PaymentSum = {
  readonly status: PaymentStatus;
  readonly currency: string;
  readonly payments: bigint;
  readonly amountMinor: bigint;
  readonly refundedMinor: bigint;
};
