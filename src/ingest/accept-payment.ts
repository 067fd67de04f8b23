import type { Fault } from '#contract/fault.ts';
import {
  type Attributed,
  toPaymentAnswer,
  withFound,
} from '#contract/payments/payment-messages.ts';
import type { Claim } from '#domain/claim.ts';
import type { PaymentReport } from '#domain/money/payment-record.ts';
import type { FoundFacts } from '#domain/outcome.ts';
import { type Result, refuse } from '#domain/result.ts';
import type { KnownVisitor } from '#domain/visit/known-visitor.ts';
import { createFindSoon } from './find-soon.ts';
import { type KeyedAnswer, type ReusedKey, toKeyedAnswer } from './keyed-answer.ts';
import { parsePayment, type SentPayment } from './parse-payment.ts';
import type { IngestLedger, VisitorDirectory } from './ports.ts';

type ReportedPayment = {
  readonly siteId: string;
  /** The time zone of its dates. */
  readonly timezone: string;
  readonly payment: SentPayment;
  readonly claim?: Claim | undefined;
};

type PaymentRefusal =
  | { readonly type: 'invalid_request'; readonly details: readonly Fault[] }
  | { readonly type: 'transaction_conflict'; readonly message: string }
  | ReusedKey;

/** Accepts one report. Throws UnavailableError if it could not be written. */
export type AcceptPayment = (
  report: ReportedPayment,
) => Promise<Result<KeyedAnswer, PaymentRefusal>>;

type AcceptPaymentPorts = {
  readonly ledger: IngestLedger;
  readonly directory: VisitorDirectory;
  readonly now: () => number;
};

/**
 * The use case that accepts payments and refunds. Resolves once the report is on disk.
 *
 * - Refuses malformed reports, and reports that contradict the record. Accepts unknown visitors.
 */
export function createAcceptPayment(ports: AcceptPaymentPorts): AcceptPayment {
  const { ledger, now } = ports;
  const findAttributed = createFindAttributed(ports.directory);

  return async ({ siteId, timezone, payment, claim }) => {
    const parsed = parsePayment(payment, { timezone, receivedAt: now() });
    if (!parsed.ok) return refuse({ type: 'invalid_request', details: parsed.error });
    const { facts, notes } = parsed.value;
    const earlier = claim && (await ledger.findAnswer(siteId, claim));
    if (earlier !== undefined) return toKeyedAnswer(earlier, '');

    const found = findAttributed(siteId, facts);
    const attributed = typeof found === 'string' ? found : await found;
    const answer = toPaymentAnswer(facts, attributed, notes);
    const outcome = await ledger.acceptPayment(
      siteId,
      facts,
      claim && { ...claim, answer, subject: facts.transactionId },
    );
    if (outcome.kind === 'transaction_conflict') {
      return refuse({ type: outcome.kind, message: outcome.message });
    }
    return toKeyedAnswer(outcome, withFound(answer, outcome as FoundFacts));
  };
}

/** Finds what the answer says about a payment's visitor: at once if memory knows it. */
function createFindAttributed(directory: VisitorDirectory) {
  const findSoon = createFindSoon(directory);
  return (siteId: string, facts: PaymentReport): Attributed | Promise<Attributed> => {
    const { visitorId, paidAt = facts.receivedAt } = facts;
    if (visitorId === undefined) return 'no_visitor';
    const recent = directory.recall(siteId, visitorId);
    if (recent?.hasPageview) return toAttributed(recent, paidAt);
    return findSoon(siteId, visitorId).then((found) => toAttributed(found, paidAt));
  };
}

/** Only the latest visit is known here. An older payment may precede all visits. */
function toAttributed(visitor: KnownVisitor | undefined | 'undecided', paidAt: number): Attributed {
  if (visitor === 'undecided') return visitor;
  if (visitor !== undefined && visitor.botClass !== '') return 'bot_visitor';
  if (!visitor?.hasPageview) return 'unseen_visitor';
  return visitor.visitStartedAt <= paidAt ? 'known_visitor' : 'maybe_later_visitor';
}
