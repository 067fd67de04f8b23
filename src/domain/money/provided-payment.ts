import { ok, type Result, refuse } from '../result.ts';
import { isOverRefunded, otherCurrency, overRefunded } from './contradictions.ts';
import { fillFacts, unlessEmpty } from './merge-payment.ts';
import { type OptionalFacts, type PaymentRecord, unreportedPayment } from './payment-record.ts';

/**
 * What a connected provider states about a payment, from all of its events so far. It replaces what it stated before.
 *
 * - Units: minor units of the currency; instants in milliseconds.
 */
export type ProvidedPayment = Partial<OptionalFacts> & {
  readonly transactionId: string;
  readonly provider: string;
  /** Undefined if only refunds are known: the payment is from before the connection. */
  readonly amountMinor: bigint | undefined;
  readonly currency: string;
  readonly paidAt: number;
  readonly renewal: boolean;
  readonly providerRate?: string | undefined;
  /** All that was given back so far, where the provider states the total. */
  readonly refundedMinor?: bigint | undefined;
  readonly refundedAt?: number | undefined;
  readonly refunds: readonly ProvidedRefund[];
};

/** A refund or dispute with its own id. */
export type ProvidedRefund = {
  readonly transactionId: string;
  readonly amountMinor: bigint;
  readonly refundedAt: number;
  readonly isDispute: boolean;
  /** It failed, or the dispute was won: nothing was taken back after all. */
  readonly isWithdrawn: boolean;
};

/**
 * The record of a payment after its provider's statement. What it states counts, whatever reports say; what it does not
 * state is kept.
 *
 * - Why it need not merge: the statement is made from all events at once, so the last one is the whole truth.
 * - Refuses another currency, refunds beyond the amount, and a payment that was voided by hand.
 */
export function toProvidedRecord(
  recorded: PaymentRecord | undefined,
  stated: ProvidedPayment,
  receivedAt: number,
): Result<PaymentRecord, string> {
  const { transactionId: id, amountMinor, currency, refundedMinor, refundedAt } = stated;
  const before = unlessEmpty(recorded) ?? unreportedPayment(currency);
  if (before.voidedAt !== undefined) return refuse(`Transaction ${id} is voided.`);
  if (before.currency !== currency) return refuse(otherCurrency(id, before.currency));
  const after: PaymentRecord = {
    ...before,
    ...fillFacts(stated, before),
    ...(before.isVisitorCorrected && { visitorId: before.visitorId }),
    ...{ statedMinor: amountMinor, renewal: stated.renewal, provider: stated.provider },
    providerRate: stated.providerRate,
    ...{ paidAt: stated.paidAt, receivedAt: before.receivedAt ?? receivedAt, sameAs: undefined },
    ...(refundedMinor !== undefined && {
      ...{ refundStatedMinor: refundedMinor, refundedAt, refundTotalAt: refundedAt },
      refundReceivedAt: before.refundReceivedAt ?? receivedAt,
    }),
  };
  return isOverRefunded(after) ? refuse(overRefunded(id, after)) : ok(after);
}

/** Writes amounts as text, which JSON cannot round. */
export function toStatedText(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each));
}

/** Payments of the same money and everything they were called. Most often, it is one payment. */
export type ProvidedGroup = {
  readonly ids: readonly string[];
  /** What was stated before; it is recorded. */
  readonly before: readonly ProvidedPayment[];
  readonly after: readonly ProvidedPayment[];
};

/** The names that the same money has besides the ids of its payments. Of a payment that is not known, there are none. */
export function toOtherIds(payments: readonly ProvidedPayment[], ids: readonly string[]): string[] {
  const own = new Set(payments.map(({ transactionId }) => transactionId));
  return payments[0]?.amountMinor === undefined ? [] : ids.filter((id) => !own.has(id));
}
