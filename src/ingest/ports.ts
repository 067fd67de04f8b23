import type { EventRow } from '#contract/event-row.ts';
import type { Found } from '#contract/payments/payment.ts';
import type { SiteChannel } from '#domain/acquisition/channels/site-channel.ts';
import type { PaymentReport as PaymentFacts } from '#domain/money/payment-record.ts';
import type { KnownVisitor } from '#domain/visit/known-visitor.ts';
import type {
  AnsweredClaim,
  EarlierAnswer,
  Claim as IdempotencyClaim,
} from '#ledger/answer-store.ts';

export type { EarlierAnswer, IdempotencyClaim, KnownVisitor, PaymentFacts };

/** The visit that a request has just opened for the visitor, else `fresh`. */
export type OpenVisit = (
  siteId: string,
  visitorId: string,
  at: number,
  fresh: { readonly visitId: string; readonly visitStartedAt: number },
) => { readonly visitId: string; readonly visitStartedAt: number };

/** What ingest needs of the journal: resolves once the rows are fsynced. Throws when it cannot. */
export interface EventJournal {
  append(rows: readonly EventRow[]): Promise<void>;
}

/** What ingest needs to know of events that may have been recorded before. */
export interface RecordedEvents {
  /**
   * Those of the rows whose event is recorded already, among all that was accepted before the call.
   * Throws UnavailableError when that cannot be known just now.
   */
  find(rows: readonly EventRow[]): Promise<ReadonlySet<EventRow>>;
}

/** What ingest needs to know of visitors that were seen before. */
export interface VisitorDirectory {
  /** From memory only; `undefined` says nothing about the warehouse. */
  recall(siteId: string, visitorId: string): KnownVisitor | undefined;
  remember(siteId: string, visitorId: string, visitor: KnownVisitor): void;
  /** Empties the memory: somebody in it was erased. */
  forgetAll(): void;
  /**
   * From memory, else from the warehouse. With `patience: 'wait'` a miss waits one shipping
   * interval and asks once more, as another process may hold the pageview in its journal.
   * Throws when the warehouse does not answer.
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
  /** Hosts allowed beside the domain and its subdomains. */
  readonly allowedHosts: readonly string[];
  readonly settings?: {
    /** What visitors from a data centre's address are taken for; people, if not said. */
    readonly dataCentres?: 'bots' | 'people';
    readonly channels?: readonly SiteChannel[];
    /** Whose visitors are known for a day only: all, or those who ask for privacy. */
    readonly cookieless?: 'always' | 'gpc';
    /** Whether a browser's identify needs a signature. */
    readonly identify?: 'signed';
  };
  /** What signs a browser's identify. */
  readonly identitySecret?: string | undefined;
};

/** The sites that events may be accepted for. */
export interface SiteDirectory {
  /** By id (`site_…`), by domain, in any case, or by the path of its script (`/…/app.js`). */
  findSite(idOrDomain: string): Site | undefined;
}

/** What became of events: recorded, nothing new, or answered before under the same key. */
export type EventsOutcome =
  | {
      readonly kind: 'recorded' | 'unchanged';
      /** Positions of events that name another user id for a visitor who has one: they are left out. */
      readonly conflicts?: readonly number[];
    }
  | EarlierAnswer;

/** What backs an identify: a browser's word, its signature by the site's secret, or an API key. */
export type Proof = 'claim' | 'signature' | 'key';

/** An event for the ledger. */
export type KeptEvent = {
  readonly row: EventRow;
  /** The id under which it counts once, if it does. */
  readonly onceId?: string | undefined;
  /** A key by default. */
  readonly proof?: Proof | undefined;
};

/** What became of a payment, which may also contradict the record. */
export type PaymentOutcome =
  | EventsOutcome
  | ({ readonly kind: 'recorded' | 'unchanged' } & Found)
  | { readonly kind: 'transaction_conflict'; readonly message: string };

/** What ingest needs of the ledger. Every promise resolves after the ledger's commit is fsynced. */
export interface IngestLedger {
  /** With a claim, `answer` is kept, and returned when the same key comes again. */
  acceptPayment(
    siteId: string,
    facts: PaymentFacts,
    claim?: AnsweredClaim,
  ): Promise<PaymentOutcome>;
  /**
   * Keeps the events and the claim in one transaction, without those whose `onceId` their site has
   * sent within the last two days. They ship from the ledger's outbox.
   */
  acceptEvents(events: readonly KeptEvent[], claim?: AnsweredClaim): Promise<EventsOutcome>;
  /** The answer already given for this key, if any. */
  findAnswer(siteId: string, claim: IdempotencyClaim): EarlierAnswer | undefined;
}
