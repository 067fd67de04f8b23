import { toLineTail } from '#contract/rows/event-lines.ts';
import type { EventRow } from '#contract/rows/event-row.ts';
import type { PaymentReport } from '#domain/money/payment-record.ts';
import { keepRunning } from '#jobs/keep-running.ts';
import { isPostgres, type Sql } from '#storage/sql/sql.ts';
import { type ChangesByHand, createChangesByHand } from './changes-by-hand.ts';
import {
  type AnsweredClaim,
  type Claim,
  type EarlierAnswer,
  findAnswer,
} from './commit/answer-store.ts';
import type { LedgerOutcome } from './commit/commit-entries.ts';
import {
  createFindDrops,
  type DropCount,
  type DropSample,
  type FindDrops,
} from './commit/drop-store.ts';
import { findIdentity, type Proof } from './commit/identity-store.ts';
import { createLedgerWriter } from './commit/ledger-writer.ts';
import type { EventsOutcome } from './commit/record-events.ts';
import { type Connections, openConnections } from './connections/connections.ts';
import { type Directory, openDirectory } from './directory.ts';
import { createErasureStore, type ErasureStore } from './erasure/erasure-store.ts';
import { createKeyStore, type KeyStore } from './keys/keys.ts';
import { createPaymentList, type PaymentList } from './payments/list-payments.ts';
import { createPersonDirectory, type PersonDirectory } from './persons/find-person-keys.ts';
import { createSearchPersons, type SearchPersons } from './persons/search-persons.ts';
import { readCounter } from './schema/counters.ts';
import { cannotWrite, createPlaceCheck } from './schema/create-place-check.ts';
import { openDatabase } from './schema/open-database.ts';
import { createSiteStore, type SiteStore } from './sites/sites.ts';

/** The transactional source of truth: sites, keys, payments, persons. */
export interface Ledger
  extends SiteStore,
    KeyStore,
    PaymentList,
    ChangesByHand,
    ErasureStore,
    PersonDirectory,
    Connections,
    Omit<Directory, 'takeKeyUses'> {
  /** Resolves after the fsync. Throws UnavailableError if nothing was recorded. */
  acceptPayment(
    siteId: string,
    report: PaymentReport,
    claim?: AnsweredClaim,
  ): Promise<LedgerOutcome>;
  /**
   * Records the events and the answer in one transaction. Skips events whose `onceId` their site has sent
   * within the last two days. Throws like `acceptPayment`. With a claim, all events belong to the same
   * site.
   */
  acceptEvents(events: readonly KeptEvent[], claim?: AnsweredClaim): Promise<EventsOutcome>;
  /** Adds to the counts of dropped events. Throws like `acceptPayment`. */
  saveDrops(counts: readonly DropCount[], samples: readonly DropSample[]): Promise<void>;
  /** Dropped events of a site. */
  readonly findDrops: FindDrops;
  readonly searchPersons: SearchPersons;
  /** Unshipped bytes of the outbox. The value is at most half a second old. */
  outboxBytes(): number;
  /** The stored answer for this idempotency key, if any. */
  findAnswer(siteId: string, claim: Claim): Promise<EarlierAnswer | undefined>;
  /** Records that a journal exists. Returns whether one existed before. */
  registerJournal(): Promise<boolean>;
  /** Throws UnavailableError while the ledger's file is missing or replaced, or its database cannot be reached. */
  assertInPlace(): void;
  /** Number of joins refused because a person would have had too many visitors. */
  countRefusedJoins(): Promise<number>;
  /** Number of payments, including placeholders, and of refunds with their own ids. */
  countPayments(): Promise<{ readonly payments: number; readonly refunds: number }>;
  close(): Promise<void>;
}

/** An event to record, and the id that deduplicates it, if any. */
export type KeptEvent = {
  readonly row: EventRow;
  readonly onceId?: string | undefined;
  /** The proof behind an identify. Default: `key`. */
  readonly proof?: Proof | undefined;
};

type LedgerOptions = {
  /** The path of an SQLite file, or the URL of a PostgreSQL database. */
  readonly location: string;
  readonly now?: () => number;
  /** Called after every change that must ship to the warehouse. */
  onRecorded?(): void;
  /** Called when any process has erased a person, so that caches are cleared. */
  onErased?(): void;
  /** Called when the file cannot be read for seconds. Nothing of it can be relied on any more. */
  onDeath?(error: unknown): void;
};

/** Changes by other processes must be visible within a second. Half of that leaves a margin. */
const REFRESH_INTERVAL_MS = 500;
/** After this many failed refreshes, the file is given up. The next start reports the reason. */
const REFRESH_FAILURES_MAX = 20;
const KEY_USES_INTERVAL_MS = 60_000;

/**
 * Opens or creates the ledger.
 *
 * - Throws if SQLite cannot guarantee durability, or if the ledger is of a version that cannot be changed to this one.
 * - Its timers do not keep the process alive.
 */
export async function openLedger(options: LedgerOptions): Promise<Ledger> {
  const { location, now = Date.now, onRecorded, onErased, onDeath = () => {} } = options;
  const db = await openDatabase(location, { checkpoints: false });
  const directory = await openDirectory(db, now);
  const { takeKeyUses, ...lookups } = directory;
  let seen = await readNews(db);
  const assertFile = isPostgres(location) ? () => {} : createPlaceCheck(location);
  let unreachable: unknown;
  const writer = createLedgerWriter({ location }, assertFile);
  const jobs = [
    keepRunning({ name: 'ledger_refresh', everyMs: REFRESH_INTERVAL_MS, run: tryToRefresh }),
    keepRunning({ name: 'key_uses', everyMs: KEY_USES_INTERVAL_MS, run: saveKeyUses }),
  ];

  function assertInPlace(): void {
    if (unreachable !== undefined) throw cannotWrite(unreachable);
    assertFile();
  }

  let failures = 0;
  async function tryToRefresh(): Promise<void> {
    try {
      await refresh();
      [failures, unreachable] = [0, undefined];
    } catch (error) {
      [failures, unreachable] = [failures + 1, error];
      // A database may be back at any time.
      if (failures === REFRESH_FAILURES_MAX && !isPostgres(location)) onDeath(error);
      throw error;
    }
  }

  async function refresh(): Promise<void> {
    await directory.refresh();
    const before = seen;
    seen = await readNews(db);
    if (seen.erasures !== before.erasures) onErased?.();
    if (seen.changes !== before.changes) onRecorded?.(); // A command may have changed payments or persons.
  }

  /** Changes sites or keys, and makes every process reload them. */
  async function change<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const answer = await db.transaction(async (sql) => {
      await sql.run("UPDATE counters SET value = value + 1 WHERE name = 'directory'");
      return work(sql);
    });
    await directory.refresh();
    return answer;
  }

  async function saveKeyUses(): Promise<void> {
    const uses = [...takeKeyUses()];
    await Promise.all(
      uses.map(([keyId, usedAt]) => writer.add({ kind: 'key_use', keyId, usedAt })),
    );
  }

  function notify<O extends LedgerOutcome>(outcome: O): O {
    if (outcome.kind === 'recorded') onRecorded?.();
    return outcome;
  }

  const erasures = createErasureStore(db, now);
  return {
    ...createSiteStore(db, now),
    ...createKeyStore(db, now),
    addSite: (site) => change((sql) => createSiteStore(sql, now).addSite(site)),
    setSite: (...site) => change((sql) => createSiteStore(sql, now).setSite(...site)),
    setChannels: (...to) => change((sql) => createSiteStore(sql, now).setChannels(...to)),
    rotateIdentitySecret: (idOrDomain) =>
      change((sql) => createSiteStore(sql, now).rotateIdentitySecret(idOrDomain)),
    removeSite: (idOrDomain) => change((sql) => createSiteStore(sql, now).removeSite(idOrDomain)),
    createKey: (key) => change((sql) => createKeyStore(sql, now).createKey(key)),
    revokeKey: (id) => change((sql) => createKeyStore(sql, now).revokeKey(id)),
    rotateKey: (...key) => change((sql) => createKeyStore(sql, now).rotateKey(...key)),
    ...openConnections(db, { now, change, add: writer.add }),
    ...lookups,
    async acceptPayment(siteId, report, claim) {
      return notify(await writer.add({ kind: 'payment', siteId, report, claim }));
    },
    async acceptEvents(events, claim) {
      const siteId = events[0]?.row.site_id ?? '';
      const kept = events.map(toLedgerEvent);
      const outcome = await writer.add({ kind: 'events', siteId, events: kept, claim });
      return notify(outcome as EventsOutcome);
    },
    outboxBytes: () => seen.outboxBytes,
    assertInPlace,
    ...erasures,
    requestErasure(...who) {
      assertFile();
      return erasures.requestErasure(...who);
    },
    async saveDrops(counts, samples) {
      await writer.add({ kind: 'drops', counts, samples });
    },
    findDrops: createFindDrops(db),
    ...createPaymentList(db),
    ...createChangesByHand(db, { assertInPlace: assertFile, onRecorded, now }),
    searchPersons: createSearchPersons(db),
    ...createPersonDirectory(db),
    findAnswer: (siteId, claim) => findAnswer(db, siteId, claim),
    async registerJournal() {
      const register = "UPDATE counters SET value = 1 WHERE name = 'journal' AND value = 0";
      return (await db.run(register)) === 0;
    },
    countRefusedJoins: () => readCounter(db, 'refused_joins'),
    async countPayments() {
      const counts = await db.get(`SELECT (SELECT count(*) FROM payments) AS payments,
        (SELECT count(*) FROM refunds) AS refunds`);
      return { payments: Number(counts?.payments), refunds: Number(counts?.refunds) };
    },
    async close() {
      await Promise.all(jobs.map((job) => job.stop()));
      await saveKeyUses().catch(() => {}); // Losing a key's last use is acceptable.
      await writer.close();
      await db.close();
    },
  };
}

/** What other processes and threads have changed. */
type News = { readonly erasures: number; readonly changes: number; readonly outboxBytes: number };

async function readNews(sql: Sql): Promise<News> {
  const rows = await sql.all(`SELECT name, value FROM counters
    WHERE name IN ('payments', 'persons', 'erasures', 'outbox_bytes')`);
  const countOf = (name: string) => Number(rows.find((row) => row.name === name)?.value);
  return {
    erasures: countOf('erasures'),
    changes: countOf('payments') + countOf('persons'),
    outboxBytes: countOf('outbox_bytes'),
  };
}

function toLedgerEvent({ row, onceId, proof = 'key' }: KeptEvent) {
  const identity = findIdentity(row, proof);
  return { siteId: row.site_id, onceId, lineTail: toLineTail(row), identity };
}
