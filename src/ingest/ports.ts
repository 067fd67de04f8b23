import type { EventRow, KeptEvent } from '#contract/rows/event-row.ts';
import type { AnsweredClaim, Claim, EarlierAnswer } from '#domain/claim.ts';
import type { Erasure } from '#domain/identity/erasure.ts';
import type { PersonKey, SubjectScope } from '#domain/identity/person.ts';
import type { ChangedBy, KnownPayment } from '#domain/money/known-payment.ts';
import type { PaymentReport } from '#domain/money/payment-record.ts';
import type { EventsOutcome, PaymentOutcome } from '#domain/outcome.ts';
import type { Result } from '#domain/result.ts';
import type { Site } from '#domain/site/site.ts';
import type { KnownVisitor } from '#domain/visit/known-visitor.ts';

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
export type IngestSite = Pick<Site, 'id' | 'domain' | 'timezone' | 'currency' | 'allowedHosts'> &
  Partial<Pick<Site, 'settings' | 'identitySecret'>>;

/** Lookup of sites. */
export interface SiteDirectory {
  /** Finds a site by id (`site_…`), by domain in any case, or by the path of its script (`/…/app.js`). */
  findSite(idOrDomain: string): IngestSite | undefined;
  /** Reloads the sites if any has changed. They are at most a second old without. */
  refresh(): Promise<void>;
}

/** The ledger, as ingest needs it. Every promise resolves after an fsynced commit. */
export interface IngestLedger {
  /** With a claim, also saves its `answer` and returns it for repeated requests with the same key. */
  acceptPayment(
    siteId: string,
    report: PaymentReport,
    claim?: AnsweredClaim,
  ): Promise<PaymentOutcome | EarlierAnswer>;
  /**
   * Records the events and the claim in one transaction. Skips events whose `onceId` the site has sent
   * within the last two days. The events ship from the ledger's outbox.
   */
  acceptEvents(events: readonly KeptEvent[], claim?: AnsweredClaim): Promise<EventsOutcome>;
  /** The earlier answer for this idempotency key, if any. */
  findAnswer(siteId: string, claim: Claim): Promise<EarlierAnswer | undefined>;
}

/** Requests about visitors, durable when they resolve. */
export interface VisitorRequests {
  requestErasure(siteId: string, visitorId: string, scope: SubjectScope): Promise<Erasure>;
  findErasure(siteId: string, id: string): Promise<Erasure | undefined>;
  /** Undoes the joins of a visitor. Returns the keys that no longer join it. */
  separateVisitor(siteId: string, visitorId: string): Promise<readonly PersonKey[]>;
}

/** Manual changes of payments, which are logged, and durable when they resolve. */
export interface PaymentChanges {
  findPayment(siteId: string, transactionId: string): Promise<KnownPayment | undefined>;
  /** Excludes the payment and its refunds from all figures, or a refund by its own id. Refuses an unknown or voided one. */
  voidPayment(
    siteId: string,
    transactionId: string,
    change: ChangedBy,
  ): Promise<Result<null, string>>;
  /** Replaces the reported visitor with another one or none. Refuses an unknown or voided payment, and an invalid id. */
  correctVisitor(
    siteId: string,
    transactionId: string,
    visitorId: string | undefined,
    change: ChangedBy,
  ): Promise<Result<null, string>>;
}
