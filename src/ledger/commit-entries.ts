import type { DatabaseSync } from 'node:sqlite';
import { toMatchedAnswer } from '#contract/payment.ts';
import {
  type KnownRecords,
  type MergedRecords,
  mergePayment,
} from '#domain/money/merge-payment.ts';
import type { PaymentReport } from '#domain/money/payment-record.ts';
import { inTransaction } from '#storage/durable-database.ts';
import { type AnsweredClaim, createAnswerStore, type EarlierAnswer } from './answer-store.ts';
import { createDropStore, type DropCount, type DropSample } from './drop-store.ts';
import { createEventIdStore } from './event-id-store.ts';
import { createIdentityStore, type Identity } from './identity-store.ts';
import { createOutboxWriter } from './outbox-writer.ts';
import { createPaymentStore } from './payments/payment-store.ts';
import { createRefundMatcher } from './payments/refund-matcher.ts';

/** What the committing thread is asked to record. */
export type LedgerEntry =
  | {
      readonly kind: 'payment';
      readonly siteId: string;
      readonly report: PaymentReport;
      readonly claim: AnsweredClaim | undefined;
    }
  | {
      readonly kind: 'events';
      /** Whose key the claim came with. */
      readonly siteId: string;
      readonly events: readonly LedgerEvent[];
      readonly claim: AnsweredClaim | undefined;
    }
  | {
      readonly kind: 'drops';
      readonly counts: readonly DropCount[];
      readonly samples: readonly DropSample[];
    }
  | { readonly kind: 'key_use'; readonly keyId: string; readonly usedAt: number };

/** An event for the outbox. */
export type LedgerEvent = {
  readonly siteId: string;
  /** Given when the event counts once: it is left out when its site has sent this id lately. */
  readonly onceId: string | undefined;
  /** The event as `toLineTail` writes it. */
  readonly lineTail: string;
  /** What the event says of who its visitor is, if anything. */
  readonly identity?: Identity | undefined;
};

/** What became of events. */
export type EventsOutcome =
  | {
      readonly kind: 'recorded' | 'unchanged';
      /** Positions of events that name another user id for a visitor who has one: they are left out. */
      readonly conflicts?: readonly number[];
    }
  | EarlierAnswer;

/** What became of an entry. */
export type LedgerOutcome =
  | EventsOutcome
  /** A refund that names no payment, and the one that it was matched to. */
  | { readonly kind: 'recorded' | 'unchanged'; readonly matchedTo: string }
  | { readonly kind: 'transaction_conflict'; readonly message: string };

/** How long answers and ids are kept at least, twice what is promised of answers. */
const KEPT_MS = 48 * 60 * 60 * 1_000;
/** How often old ones are looked for, and how soon again when there were too many for once. */
const PURGE_INTERVAL_MS = 10 * 60 * 1_000;
const PURGE_AGAIN_MS = 1_000;

/**
 * A function that records a group of entries in one transaction: one outcome for each, in order.
 *
 * - Throws when the disk does not take it; then none of the group is recorded.
 * - Why an entry sees those before it in its group: sixty-four identical payments at once are one.
 */
export function createCommitEntries(
  db: DatabaseSync,
  now: () => number = Date.now,
): (entries: readonly LedgerEntry[]) => LedgerOutcome[] {
  const answers = createAnswerStore(db);
  const eventIds = createEventIdStore(db);
  const acceptPayment = createAcceptPayment(db);
  const outbox = createOutboxWriter(db);
  const identities = createIdentityStore(db);
  const drops = createDropStore(db);
  const useKey = db.prepare(
    'UPDATE keys SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?',
  );
  let purgeAt = 0;

  function accept(entry: LedgerEntry, at: number): LedgerOutcome {
    if (entry.kind === 'key_use') {
      useKey.run(entry.usedAt, entry.keyId);
      return { kind: 'recorded' };
    }
    if (entry.kind === 'drops') {
      drops.saveDrops(entry.counts, entry.samples);
      return { kind: 'unchanged' };
    }
    const { siteId, claim } = entry;
    const earlier = claim && answers.findAnswer(siteId, claim);
    if (earlier !== undefined) return earlier;
    const outcome =
      entry.kind === 'payment'
        ? acceptPayment.accept(siteId, entry.report)
        : addEvents(entry.events, at);
    // A refused report claims nothing: its key may come again with a better body.
    if (claim !== undefined && outcome.kind !== 'transaction_conflict') {
      answers.saveAnswer(siteId, { ...claim, answer: toAnswer(claim.answer, outcome) }, at);
    }
    return outcome;
  }

  function addEvents(events: readonly LedgerEvent[], at: number): LedgerOutcome {
    let isNews = false;
    const conflicts: number[] = [];
    for (const [index, { siteId, onceId, lineTail, identity }] of events.entries()) {
      if (identity !== undefined && !identities.saveIdentity(identity)) {
        conflicts.push(index);
        continue;
      }
      if (onceId !== undefined && !eventIds.claim(siteId, onceId, at)) continue;
      outbox.add(lineTail);
      isNews = true;
    }
    return { kind: isNews ? 'recorded' : 'unchanged', ...(conflicts.length > 0 && { conflicts }) };
  }

  function purge(at: number): void {
    const isDone = [answers, eventIds].map((store) => store.purge(at - KEPT_MS));
    purgeAt = at + (isDone.includes(false) ? PURGE_AGAIN_MS : PURGE_INTERVAL_MS);
  }

  return (entries) =>
    inTransaction(db, () => {
      const at = now();
      acceptPayment.begin();
      outbox.begin();
      const outcomes = entries.map((entry) => accept(entry, at));
      acceptPayment.end();
      outbox.end();
      if (at >= purgeAt) purge(at);
      return outcomes;
    });
}

/** What is answered, with what only recording finds out. */
export function toAnswer(answer: string, outcome: LedgerOutcome): string {
  return 'matchedTo' in outcome ? toMatchedAnswer(answer, outcome.matchedTo) : answer;
}

const NOTHING_KNOWN: KnownRecords = {
  payment: undefined,
  refund: undefined,
  original: undefined,
  originalIsRefund: false,
  isOriginal: false,
};

/** Merges reports into the record; every payment it changes takes the next version. */
function createAcceptPayment(db: DatabaseSync) {
  const store = createPaymentStore(db);
  const matcher = createRefundMatcher(db);
  const readVersion = db.prepare("SELECT value FROM counters WHERE name = 'payments'");
  readVersion.setReadBigInts(true);
  const saveVersion = db.prepare("UPDATE counters SET value = ? WHERE name = 'payments'");
  let before = 0n;
  let version = 0n;

  return {
    begin() {
      before = readVersion.get()?.value as bigint;
      version = before;
    },
    end() {
      if (version !== before) saveVersion.run(version);
    },
    accept(siteId: string, report: PaymentReport): LedgerOutcome {
      const before = report.refunded ? matcher.findMatch(siteId, report.transactionId) : undefined;
      const outcome = record(siteId, report);
      if (outcome.kind === 'recorded') rematch(siteId, report, before);
      if (!report.refunded || outcome.kind === 'transaction_conflict') return outcome;
      const matchedTo = matcher.findMatch(siteId, report.transactionId);
      return matchedTo === undefined ? outcome : { ...outcome, matchedTo };
    },
  };

  function record(siteId: string, report: PaymentReport) {
    if (addNew(siteId, report)) return { kind: 'recorded' } as const;
    const merged = mergePayment(findKnown(siteId, report), report);
    if (!merged.ok) return { kind: 'transaction_conflict', message: merged.error } as const;
    if (Object.keys(merged.value).length === 0) return { kind: 'unchanged' } as const;
    save(siteId, report, merged.value);
    return { kind: 'recorded' } as const;
  }

  /** `before` is what the refund was matched to, if it was. */
  function rematch(siteId: string, report: PaymentReport, before: string | undefined): void {
    const { transactionId, originalTransactionId } = report;
    const changed = [transactionId, originalTransactionId, before].filter((id) => id !== undefined);
    matcher.rematch(siteId, changed, (refundId) => {
      version += 1n;
      store.touchPayment(siteId, refundId, version);
    });
  }

  /** Most are new: one statement both finds that out and saves them. */
  function addNew(siteId: string, report: PaymentReport): boolean {
    if (report.originalTransactionId !== undefined) return false;
    const merged = mergePayment(NOTHING_KNOWN, report);
    if (!merged.ok || merged.value.payment === undefined) return false;
    const isAdded = store.addPayment(
      siteId,
      report.transactionId,
      merged.value.payment,
      version + 1n,
    );
    if (isAdded) version += 1n;
    return isAdded;
  }

  function findKnown(siteId: string, report: PaymentReport): KnownRecords {
    const { transactionId: id, originalTransactionId: originalId } = report;
    const own = { payment: store.findPayment(siteId, id), refund: store.findRefund(siteId, id) };
    if (originalId === undefined) {
      return { ...own, original: undefined, originalIsRefund: false, isOriginal: false };
    }
    return {
      ...own,
      isOriginal: own.payment !== undefined && store.hasRefunds(siteId, id),
      original: store.findPayment(siteId, originalId),
      originalIsRefund: store.findRefund(siteId, originalId) !== undefined,
    };
  }

  function save(siteId: string, report: PaymentReport, merged: MergedRecords): void {
    const { transactionId: id } = report;
    const { payment, refund, original } = merged;
    const originalId = refund?.originalTransactionId;
    version += 1n;
    if (payment !== undefined) store.savePayment(siteId, id, payment, version);
    if (refund !== undefined) store.saveRefund(siteId, id, refund);
    if (merged.dropsPayment) store.dropPayment(siteId, id);
    if (originalId === undefined) return;
    if (original !== undefined) store.savePayment(siteId, originalId, original, version);
    else store.touchPayment(siteId, originalId, version);
  }
}
