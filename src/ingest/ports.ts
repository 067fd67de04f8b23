import type { EventRow } from '#contract/rows/event-row.ts';
import type { PaymentReport as PaymentFacts } from '#domain/money/payment-record.ts';
import type { KnownVisitor } from '#domain/visit/known-visitor.ts';
import type {
  AnsweredClaim,
  EarlierAnswer,
  Claim as IdempotencyClaim,
} from '#ledger/commit/answer-store.ts';
import type { LedgerOutcome as PaymentOutcome } from '#ledger/commit/commit-entries.ts';
import type { Proof } from '#ledger/commit/identity-store.ts';
import type { EventsOutcome } from '#ledger/commit/record-events.ts';
import type { KeptEvent } from '#ledger/open-ledger.ts';
import type { Site as KnownSite } from '#ledger/sites/sites.ts';

export type {
  EarlierAnswer,
  EventsOutcome,
  IdempotencyClaim,
  KeptEvent,
  KnownVisitor,
  PaymentFacts,
  PaymentOutcome,
  Proof,
};

/** Returns the visit that a request has just opened for the visitor, or else opens `fresh`. */
export type OpenVisit = (
  siteId: string,
  visitorId: string,
  at: number,
  fresh: { readonly visitId: string; readonly visitStartedAt: number },
) => { readonly visitId: string; readonly visitStartedAt: number };

/** The journal, as ingest needs it. `append` resolves once the rows are fsynced, and throws if it fails. */
export interface EventJournal {
  append(rows: readonly EventRow[]): Promise<void>;
}

/** Lookup of recorded events, for deduplication. */
export interface RecordedEvents {
  /**
   * Returns the rows whose events were recorded before the call. Throws UnavailableError if the
   * warehouse cannot tell.
   */
  find(rows: readonly EventRow[]): Promise<ReadonlySet<EventRow>>;
}

/** Lookup of visitors that were seen before. */
export interface VisitorDirectory {
  /** Looks in memory only. `undefined` says nothing about the warehouse. */
  recall(siteId: string, visitorId: string): KnownVisitor | undefined;
  remember(siteId: string, visitorId: string, visitor: KnownVisitor): void;
  /** Clears the memory after an erasure. */
  forgetAll(): void;
  /**
   * Looks in memory, then in the warehouse. With `patience: 'wait'`, a miss waits for shipping and
   * asks again, because the pageview may still be in the journal. Throws if the warehouse does not
   * answer.
   */
  find(
    siteId: string,
    visitorId: string,
    patience: 'wait' | 'once',
  ): Promise<KnownVisitor | undefined>;
}

/** A site as ingest sees it. */
export type Site = Pick<KnownSite, 'id' | 'domain' | 'timezone' | 'currency' | 'allowedHosts'> &
  Partial<Pick<KnownSite, 'settings' | 'identitySecret'>>;

/** Lookup of sites. */
export interface SiteDirectory {
  /** Finds a site by id (`site_…`), by domain in any case, or by the path of its script (`/…/app.js`). */
  findSite(idOrDomain: string): Site | undefined;
  /** Reloads the sites if any has changed. They are at most a second old without. */
  refresh(): Promise<void>;
}

/** The ledger, as ingest needs it. Every promise resolves after an fsynced commit. */
export interface IngestLedger {
  /** With a claim, also saves its `answer` and returns it for repeated requests with the same key. */
  acceptPayment(
    siteId: string,
    facts: PaymentFacts,
    claim?: AnsweredClaim,
  ): Promise<PaymentOutcome>;
  /**
   * Records the events and the claim in one transaction. Skips events whose `onceId` the site has sent
   * within the last two days. The events ship from the ledger's outbox.
   */
  acceptEvents(events: readonly KeptEvent[], claim?: AnsweredClaim): Promise<EventsOutcome>;
  /** The earlier answer for this idempotency key, if any. */
  findAnswer(siteId: string, claim: IdempotencyClaim): Promise<EarlierAnswer | undefined>;
}
