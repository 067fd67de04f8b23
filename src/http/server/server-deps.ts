import type { onRequestHookHandler } from 'fastify';
import type { Mailer } from '#accounts/mail.ts';
import type { Accounts } from '#accounts/open-accounts.ts';
import type { AcceptGoal } from '#ingest/accept-goal.ts';
import type { AcceptIdentify } from '#ingest/accept-identify.ts';
import type { AcceptPayment } from '#ingest/accept-payment.ts';
import type { AcceptEvents } from '#ingest/events/accept-events.ts';
import type { SiteDirectory } from '#ingest/ports.ts';
import type { KeyStore } from '#ledger/keys/keys.ts';
import type { Ledger } from '#ledger/open-ledger.ts';
import type { SiteStore } from '#ledger/sites/sites.ts';
import type { Notifier } from '#notify/keep-notifying.ts';
import type { LiveWatch } from '#report/live/watch-live.ts';
import type { ListPayments } from '#report/payments/list-payments.ts';
import type { DescribeVisitor } from '#report/people/describe-visitor.ts';
import type { PeopleLedger } from '#report/people/people-deps.ts';
import type { Reports } from '#report/reports/create-reports.ts';
import type { KeyDirectory } from '../requests/authenticate.ts';
import type { Metrics } from './metrics.ts';

/** The times of a site's last events, in milliseconds. */
export type LastSeen = {
  readonly pageviewAt: number | undefined;
  readonly eventAt: number | undefined;
};

/** The settings of the server. */
export type ServerSettings = {
  /** The public URL; if unset, the address that callers use. */
  readonly baseUrl: string | undefined;
  readonly trustedProxies: readonly string[];
  readonly logLevel: string;
  /** Reads a minute for each key; 0 for no limit. */
  readonly rateLimitReads: number;
  /** Writes a second for each key or address; 0 for no limit. */
  readonly rateLimitWrites: number;
  readonly connectionsMax: number;
  /** The identity provider's name; if unset, there is none. */
  readonly oidc?: { readonly name: string } | undefined;
};

/** The dependencies of the routes, provided by `src/app/create-app.ts`. */
export type ServerDeps = {
  readonly settings: ServerSettings;
  readonly keys: KeyDirectory;
  readonly sites: SiteDirectory;
  readonly accounts: Accounts;
  /** Undefined if no mail server is configured. */
  readonly mailer: Mailer | undefined;
  /** Sites and keys, as the commands change them. */
  readonly siteStore: SiteStore & KeyStore & Pick<Ledger, 'findSite'>;
  /** Fills the demo shop; `failure` is the reason why the last attempt failed. */
  readonly demo: {
    readonly find: () =>
      | {
          readonly done: number | undefined;
          readonly total: number | undefined;
          readonly failure: string | undefined;
        }
      | undefined;
    readonly start: () => void;
    readonly stop: () => void;
  };
  /** Summaries and alerts. */
  readonly notifier: Pick<Notifier, 'subscribe' | 'sendSummary' | 'sendTest'>;
  /** The JSON output of `tributary doctor`. */
  readonly askDoctor: () => Promise<unknown>;
  readonly findLastSeen: (siteId: string) => Promise<LastSeen>;
  readonly acceptGoal: AcceptGoal;
  readonly acceptPayment: AcceptPayment;
  readonly acceptEvents: AcceptEvents;
  readonly acceptIdentify: AcceptIdentify;
  readonly drops: Pick<Ledger, 'findDrops'>;
  readonly erasures: Pick<Ledger, 'requestErasure' | 'findErasure' | 'findKnownPerson'>;
  readonly persons: Pick<Ledger, 'separateVisitor'>;
  readonly payments: Pick<Ledger, 'findPayment' | 'voidPayment' | 'correctVisitor'>;
  readonly listPayments: ListPayments;
  readonly describeVisitor: DescribeVisitor;
  readonly reports: Reports;
  readonly liveWatch: LiveWatch;
  readonly people: PeopleLedger;
  /** How many seconds the oldest event has waited for the warehouse. */
  readonly behindSeconds: () => number;
  /** Resolves if every store responds and accepts writes. Throws UnavailableError with the reason if not. */
  readonly assertReady: () => Promise<void>;
  readonly metrics: Metrics;
  /** For tests: called when a response is sent. */
  readonly onAnswered?: (() => void) | undefined;
};

/** The dependencies of write routes: also the rate limit's hooks, which come after the key's. */
export type WriteDeps = ServerDeps & { readonly limitWrites: readonly onRequestHookHandler[] };

/** The dependencies of read routes, whose requests share one rate limit. */
export type ReadDeps = ServerDeps & { readonly limitReads: readonly onRequestHookHandler[] };
