import { ok, type Result, refuse } from '../result.ts';
import { isOverRefunded, otherAmount, otherCurrency, overRefunded } from './contradictions.ts';
import {
  OPTIONAL_FACTS,
  type OptionalFacts,
  type PaymentRecord,
  type PaymentReport,
  type RefundRecord,
  refundTotalAtOf,
  unreportedPayment,
} from './payment-record.ts';

/** The records of the ids that a report names. */
export type KnownRecords = {
  /** The report's own id belongs to a payment or a refund, never both. */
  readonly payment: PaymentRecord | undefined;
  readonly refund: RefundRecord | undefined;
  /** The payment with the report's `originalTransactionId`. */
  readonly original: PaymentRecord | undefined;
  readonly originalIsRefund: boolean;
  /** Whether recorded refunds name the report's own id as their payment. */
  readonly isOriginal: boolean;
};

/** No records. */
export const NOTHING_KNOWN: KnownRecords = {
  payment: undefined,
  refund: undefined,
  original: undefined,
  originalIsRefund: false,
  isOriginal: false,
};

/** The records that the report changed. Unchanged records are left out. */
export type MergedRecords = {
  readonly payment?: PaymentRecord;
  readonly refund?: RefundRecord;
  readonly original?: PaymentRecord;
  /** The payment recorded under the report's own id turned out to be this refund: delete it. */
  readonly dropsPayment?: true;
};

/**
 * Merges one report into the records.
 *
 * The merge is idempotent and commutative: consistent reports give the same records in any order
 * and any number of repetitions.
 *
 * - A missing fact never erases a known one. When two reports differ, the earlier instant and the
 *   smaller text win (any fixed order would do), and `renewal` stays true.
 * - Refuses a report that contradicts the record, with a sentence for the caller; nothing changes.
 * - Source: the contract's table for a repeated `transaction_id`.
 */
export function mergePayment(
  { payment, original, ...others }: KnownRecords,
  report: PaymentReport,
): Result<MergedRecords, string> {
  const known = { ...others, payment: unlessEmpty(payment), original: unlessEmpty(original) };
  const { transactionId: id } = report;
  // The report may leave out its original payment when an earlier report named it.
  const recorded = report.refunded ? known.refund?.originalTransactionId : undefined;
  const originalId = report.originalTransactionId ?? recorded;
  if (isVoided(known.payment)) return refuse(`Transaction ${id} is voided.`);
  if (isVoided(known.original)) return refuse(`Transaction ${originalId} is voided.`);
  if (originalId !== undefined) return mergeOtherRefund(known, { ...report, originalId });
  if (known.refund !== undefined) {
    return refuse(
      `Transaction ${id} is recorded as a refund of ${known.refund.originalTransactionId}.`,
    );
  }
  return mergeOwnReport(known, report);
}

/** A record in which something is left. */
export function unlessEmpty(record: PaymentRecord | undefined): PaymentRecord | undefined {
  return record?.currency === '' ? undefined : record;
}

/** Merges a report of a payment, or of a refund under the payment's own id. */
function mergeOwnReport(known: KnownRecords, report: PaymentReport): Result<MergedRecords, string> {
  const { transactionId: id } = report;
  const before = known.payment ?? unreportedPayment(report.currency);
  const stated = report.refunded ? undefined : report.amountMinor;
  if (before.currency !== report.currency) return refuse(otherCurrency(id, before.currency));
  if (stated !== undefined && before.statedMinor !== undefined && before.statedMinor !== stated) {
    return refuse(otherAmount(id, before.statedMinor, before.currency));
  }

  const isProvided = before.provider !== undefined; // Its provider knows it better.
  const after: PaymentRecord = {
    ...before,
    ...(isProvided ? fillFacts(before, report) : mergeFacts(before, report)),
    ...(before.isVisitorCorrected && { visitorId: before.visitorId }),
    statedMinor: before.statedMinor ?? stated,
    renewal: before.renewal || (report.renewal && !isProvided),
    paidAt: isProvided ? before.paidAt : least(before.paidAt, report.paidAt),
    receivedAt: least(before.receivedAt, report.receivedAt),
    ...(report.refunded && {
      refundStatedMinor: greatest(before.refundStatedMinor, report.amountMinor),
      refundedAt: least(before.refundedAt, report.refundedAt),
      refundReceivedAt: least(before.refundReceivedAt, report.receivedAt),
      refundTotalAt: refundTotalAtOf(before, report),
    }),
  };
  if (isOverRefunded(after)) return refuse(overRefunded(id, after));
  return ok(isSame(known.payment, after) ? {} : { payment: after });
}

type OtherRefundReport = PaymentReport & { readonly originalId: string };

/** Merges a refund that has its own id. It counts against the payment that it names. */
function mergeOtherRefund(
  known: KnownRecords,
  report: OtherRefundReport,
): Result<MergedRecords, string> {
  const { originalId, currency } = report;
  const bare = findBareRefund(known, originalId);
  const before = known.refund ?? bare;
  const contradiction = findContradiction(known, before, report);
  if (contradiction !== undefined) return refuse(contradiction);

  const refund: RefundRecord = {
    ...mergeFacts(before ?? {}, report),
    originalTransactionId: originalId,
    isMatched: report.isMatched === true,
    isDispute: known.refund?.isDispute ?? false,
    withdrawnAt: known.refund?.withdrawnAt,
    currency,
    amountMinor: known.refund?.amountMinor ?? report.amountMinor,
    refundedAt: least(before?.refundedAt, report.refundedAt),
    paidAt: least(before?.paidAt, report.paidAt),
    receivedAt: Math.min(before?.receivedAt ?? report.receivedAt, report.receivedAt),
  };
  if (known.refund !== undefined) return ok(isSame(known.refund, refund) ? {} : { refund });
  const added = addRefund(known.original ?? unreportedPayment(currency), refund);
  return bare === undefined || !added.ok ? added : ok({ ...added.value, dropsPayment: true });
}

/** Why the report contradicts the recorded refund, if it does. */
function findContradiction(
  known: KnownRecords,
  before: RefundRecord | undefined,
  report: OtherRefundReport,
): string | undefined {
  const { transactionId: id, originalId, currency } = report;
  if (id === originalId) return `Transaction ${id} cannot be a refund of itself.`;
  if (known.payment !== undefined && before === undefined) {
    return `Transaction ${id} is recorded as a payment.`;
  }
  if (known.originalIsRefund) return `Transaction ${originalId} is recorded as a refund.`;
  if (before === undefined) return undefined;
  if (before.originalTransactionId !== originalId) {
    return `Transaction ${id} is recorded as a refund of ${before.originalTransactionId}.`;
  }
  if (before.currency !== currency) return otherCurrency(id, before.currency);
  return isAmountOf(known, before, report)
    ? undefined
    : otherAmount(id, before.amountMinor, before.currency);
}

/**
 * A report that names the original payment states the refund's amount. Any other report states the
 * total refunded so far.
 */
function isAmountOf(known: KnownRecords, before: RefundRecord, report: OtherRefundReport): boolean {
  if (known.refund === undefined) return before.amountMinor <= report.amountMinor;
  return report.originalTransactionId === undefined
    ? report.amountMinor <= before.amountMinor
    : report.amountMinor === before.amountMinor;
}

/** The refund known only from reports under its own id, before any report named its payment. */
function findBareRefund(
  { payment, isOriginal }: KnownRecords,
  originalTransactionId: string,
): RefundRecord | undefined {
  const isReported = payment?.receivedAt !== undefined && payment.refundStatedMinor !== undefined;
  if (!isReported || payment.statedMinor !== undefined || isOriginal) return undefined;
  return {
    ...mergeFacts({}, payment),
    originalTransactionId,
    isMatched: false,
    isDispute: false,
    withdrawnAt: undefined,
    currency: payment.currency,
    amountMinor: payment.refundStatedMinor as bigint,
    refundedAt: payment.refundedAt,
    paidAt: payment.paidAt,
    receivedAt: payment.receivedAt as number,
  };
}

function addRefund(original: PaymentRecord, refund: RefundRecord): Result<MergedRecords, string> {
  const { originalTransactionId: id } = refund;
  if (original.currency !== refund.currency) return refuse(otherCurrency(id, original.currency));
  const otherRefundsMinor = original.otherRefundsMinor + refund.amountMinor;
  const after = { ...original, otherRefundsMinor };
  if (isOverRefunded(after)) return refuse(overRefunded(id, after));
  return ok({ refund, original: after });
}

function mergeFacts(before: Partial<OptionalFacts>, report: Partial<OptionalFacts>): OptionalFacts {
  const facts: Partial<Record<keyof OptionalFacts, string | undefined>> = {};
  for (const fact of OPTIONAL_FACTS) facts[fact] = least(before[fact], report[fact]);
  return facts as OptionalFacts;
}

/** Facts with those of another report where they have none. */
export function fillFacts(
  facts: Partial<OptionalFacts>,
  others: Partial<OptionalFacts>,
): OptionalFacts {
  const filled = OPTIONAL_FACTS.map((fact) => [fact, facts[fact] ?? others[fact]]);
  return Object.fromEntries(filled) as OptionalFacts;
}

/** The smaller of the given values; for instants, the earlier. */
function least<T extends number | string>(a: T | undefined, b: T | undefined): T | undefined {
  if (a === undefined) return b;
  if (b === undefined) return a;
  return b < a ? b : a;
}

function greatest(a: bigint | undefined, b: bigint): bigint {
  return a === undefined || b > a ? b : a;
}

function isSame<T extends PaymentRecord | RefundRecord>(before: T | undefined, after: T): boolean {
  if (before === undefined) return false;
  return (Object.keys(after) as (keyof T)[]).every((name) => before[name] === after[name]);
}

/** Whether the payment was voided by hand. No later report restores it. */
function isVoided(payment: PaymentRecord | undefined): boolean {
  return payment?.voidedAt !== undefined;
}
