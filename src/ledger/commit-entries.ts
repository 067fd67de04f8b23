import type { DatabaseSync } from 'node:sqlite';
import { type Found, withFound } from '#contract/payments/payment-messages.ts';
import type { PaymentReport } from '#domain/money/payment-record.ts';
import { inTransaction } from '#storage/durable-database.ts';
import { type AnsweredClaim, createAnswerStore, type EarlierAnswer } from './answer-store.ts';
import { createDropStore, type DropCount, type DropSample } from './drop-store.ts';
import { createEventIdStore } from './event-id-store.ts';
import { createIdentityStore, type Identity } from './identity-store.ts';
import { createOutboxWriter } from './outbox-writer.ts';
import { createAcceptPayment, type PaymentOutcome } from './payments/accept-payment.ts';

/** An entry for the committing thread. */
export type LedgerEntry =
  | {
      readonly kind: 'payment';
      readonly siteId: string;
      readonly report: PaymentReport;
      readonly claim: AnsweredClaim | undefined;
    }
  | {
      readonly kind: 'events';
      /** The site of the claim's API key. */
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
  /** Deduplication id: the event is skipped if its site has sent this id recently. */
  readonly onceId: string | undefined;
  /** The event, as serialized by `toLineTail`. */
  readonly lineTail: string;
  /** The identity that the event states, if any. */
  readonly identity?: Identity | undefined;
};

/** The outcome of recording events. */
export type EventsOutcome =
  | {
      readonly kind: 'recorded' | 'unchanged';
      /** Indexes of events that name a different user id than their visitor has. They are not recorded. */
      readonly conflicts?: readonly number[];
    }
  | EarlierAnswer;

/** The outcome of an entry. */
export type LedgerOutcome = EventsOutcome | PaymentOutcome;

/** Minimum lifetime of answers and event ids: twice the documented lifetime of answers. */
const KEPT_MS = 48 * 60 * 60 * 1_000;
/** Purge interval, and the shorter interval while a purge is incomplete. */
const PURGE_INTERVAL_MS = 10 * 60 * 1_000;
const PURGE_AGAIN_MS = 1_000;

/**
 * Creates a function that records a group of entries in one transaction and returns one outcome per entry.
 *
 * - Throws if the write fails. Then nothing of the group is recorded.
 * - Each entry sees the earlier entries of its group, so that 64 identical concurrent payments count once.
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
    // A refused report does not use up its key. It may be sent again with a corrected body.
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

/** Adds facts to the answer that are known only after recording. */
function toAnswer(answer: string, outcome: LedgerOutcome): string {
  const isPayment = outcome.kind === 'recorded' || outcome.kind === 'unchanged';
  return isPayment ? withFound(answer, outcome as Found) : answer;
}
