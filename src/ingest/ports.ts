import type { Found } from '#contract/payments/payment.ts';
import type { EventRow } from '#contract/rows/event-row.ts';
import type { SiteChannel } from '#domain/acquisition/channels/site-channel.ts';
import type { PaymentReport as PaymentFacts } from '#domain/money/payment-record.ts';
import type { KnownVisitor } from '#domain/visit/known-visitor.ts';
import type {
  AnsweredClaim,
  EarlierAnswer,
  Claim as IdempotencyClaim,
} from '#ledger/answer-store.ts';

export type { EarlierAnswer, IdempotencyClaim, KnownVisitor, PaymentFacts };

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
export type Site = {
  readonly id: string;
  readonly domain: string;
  readonly timezone: string;
  readonly currency: string;
  /** Allowed hosts besides the domain and its subdomains. */
  readonly allowedHosts: readonly string[];
  readonly settings?: {
    /** How to count visitors from data centre addresses. Default: people. */
    readonly dataCentres?: 'bots' | 'people';
    readonly channels?: readonly SiteChannel[];
    /** Which visitors get daily ids: all, or those who send Global Privacy Control. */
    readonly cookieless?: 'always' | 'gpc';
    /** Whether an identify from a browser requires a signature. */
    readonly identify?: 'signed';
  };
  /** The key that signs identifies from browsers. */
  readonly identitySecret?: string | undefined;
};

/** Lookup of sites. */
export interface SiteDirectory {
  /** Finds a site by id (`site_…`), by domain in any case, or by the path of its script (`/…/app.js`). */
  findSite(idOrDomain: string): Site | undefined;
}

/** The outcome of recording: recorded, nothing new, or answered earlier for the same idempotency key. */
export type EventsOutcome =
  | {
      readonly kind: 'recorded' | 'unchanged';
      /** Indexes of events that name a different user id than their visitor has. They are not recorded. */
      readonly conflicts?: readonly number[];
    }
  | EarlierAnswer;

/** The proof behind an identify: a browser's claim, a signature with the site's secret, or an API key. */
export type Proof = 'claim' | 'signature' | 'key';

/** An event to record in the ledger. */
export type KeptEvent = {
  readonly row: EventRow;
  /** The id that deduplicates it, if any. */
  readonly onceId?: string | undefined;
  /** Default: `key`. */
  readonly proof?: Proof | undefined;
};

/** The outcome of a payment report, which may also contradict the record. */
export type PaymentOutcome =
  | EventsOutcome
  | ({ readonly kind: 'recorded' | 'unchanged' } & Found)
  | { readonly kind: 'transaction_conflict'; readonly message: string };

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
  findAnswer(siteId: string, claim: IdempotencyClaim): EarlierAnswer | undefined;
}
