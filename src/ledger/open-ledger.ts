import { existsSync } from 'node:fs';
import type { KeptEvent } from '#contract/rows/event-row.ts';
import type { AnsweredClaim, Claim, EarlierAnswer } from '#domain/claim.ts';
import type { PaymentReport } from '#domain/money/payment-record.ts';
import type { InboxEvent } from '#domain/money/provider-event.ts';
import type { EventsOutcome, PaymentOutcome } from '#domain/outcome.ts';
import type { DropCount, DropSample } from '#domain/visit/dropped-events.ts';
import { keepRunning } from '#jobs/keep-running.ts';
import type { TrustedNow } from '#storage/keep-clock.ts';
import { type QueueCounts, readJournalCounts } from '#storage/queue-counts.ts';
import { JOURNAL, OUTBOX } from '#storage/shipment-token.ts';
import { isPostgres } from '#storage/sql/sql.ts';
import { createChangesByHand } from './changes-by-hand.ts';
import { findAnswer } from './commit/answer-store.ts';
import type { LedgerOutcome } from './commit/commit-entries.ts';
import { findDrops } from './commit/drop-store.ts';
import { createLedgerWriter } from './commit/ledger-writer.ts';
import { toLedgerEvent } from './commit/record-events.ts';
import { createInbox } from './connections/inbox-counts.ts';
import { createWalkStore } from './connections/walk-store.ts';
import { createCounts } from './create-counts.ts';
import { createProjection } from './create-projection.ts';
import { createStores } from './create-stores.ts';
import { openDirectory } from './directory.ts';
import { createErasures } from './erasure/create-erasures.ts';
import { createErasureStore } from './erasure/erasure-store.ts';
import { createTrial } from './imports/create-trial.ts';
import { createImportStore } from './imports/imports.ts';
import { createPaymentList } from './payments/list-payments.ts';
import type { KnownRates } from './payments/site-money.ts';
import { createPersonDirectory } from './persons/find-person-keys.ts';
import { createSearchPersons } from './persons/search-persons.ts';
import { readNews } from './read-news.ts';
import { readCounter } from './schema/counters.ts';
import { cannotWrite, createPlaceCheck } from './schema/create-place-check.ts';
import { openDatabase, openReadOnly } from './schema/open-database.ts';
import { LEDGER } from './schema/schema.ts';
import { createTakeWaiting } from './take-waiting.ts';

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

/** The transactional source of truth: sites, keys, payments, persons. README.md says what each promise is. */
export type Ledger = Awaited<ReturnType<typeof openLedger>>;

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
export async function openLedger(options: LedgerOptions) {
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

  const walks = createWalkStore(db, now);
  return {
    ...createStores(db, now, directory.refresh),
    ...walks,
    ...createInbox(db, now, walks),
    /** Keeps a provider's event. Returns whether it is new. Throws like `acceptPayment`. */
    acceptProviderEvent: async (event: InboxEvent) =>
      (await writer.add({ kind: 'provider_event', event })).kind === 'recorded',
    ...lookups,
    async acceptPayment(
      siteId: string,
      report: PaymentReport,
      claim?: AnsweredClaim,
    ): Promise<PaymentOutcome | EarlierAnswer> {
      return notify(await writer.add({ kind: 'payment', siteId, report, claim }));
    },
    async acceptEvents(
      events: readonly KeptEvent[],
      claim?: AnsweredClaim,
    ): Promise<EventsOutcome> {
      const siteId = events[0]?.row.site_id ?? '';
      const kept = events.map(toLedgerEvent);
      const entry = { kind: 'events' as const, siteId, events: kept, claim };
      return notify((await writer.add(entry)) as EventsOutcome);
    },
    /** Unshipped bytes of the outbox. The value is at most half a second old. */
    outboxBytes: () => seen.outboxBytes,
    /** Throws UnavailableError while the file is missing or replaced, or the database cannot be reached. */
    assertInPlace,
    ...createErasureStore(db, { assertInPlace: assertFile, now }),
    async saveDrops(counts: readonly DropCount[], samples: readonly DropSample[]): Promise<void> {
      await writer.add({ kind: 'drops', counts, samples });
    },
    findDrops: (siteId: string, hours: Parameters<typeof findDrops>[2]) =>
      findDrops(db, siteId, hours),
    ...createPaymentList(db),
    ...createChangesByHand(db, { assertInPlace: assertFile, onRecorded, now }),
    ...createImportStore(db, { assertInPlace: assertFile, onRecorded, now, add: writer.add }),
    searchPersons: createSearchPersons(db),
    ...createPersonDirectory(db),
    findAnswer: (siteId: string, claim: Claim) => findAnswer(db, siteId, claim),
    /** Records that a journal exists. Returns whether one existed before. */
    async registerJournal(): Promise<boolean> {
      const register = "UPDATE counters SET value = 1 WHERE name = 'journal' AND value = 0";
      return (await db.run(register)) === 0;
    },
    /** Number of joins refused because a person would have had too many visitors. */
    countRefusedJoins: () => readCounter(db, 'refused_joins'),
    async close(): Promise<void> {
      await Promise.all(jobs.map((job) => job.stop()));
      await saveKeyUses().catch(() => {}); // Losing a key's last use is acceptable.
      await writer.close();
      await db.close();
    },
  };
}

/**
 * Opens the ledger's part of erasures and retention, on its own connection. Retention uses `trustedNow`, and pauses
 * while it is undefined.
 */
export async function openErasures(
  location: string,
  now: () => number,
  trustedNow: TrustedNow = now,
) {
  const db = await openDatabase(location, { checkpoints: false });
  return createErasures(db, { location, now, trustedNow });
}

/** Opens the ledger for shipping, on its own connection. `onTrouble` is called for batches set aside. */
export async function openProjection(
  location: string,
  rates: KnownRates,
  onTrouble: (trouble: string) => void = () => {},
) {
  return createProjection(await openDatabase(location, { checkpoints: false }), rates, onTrouble);
}

/** Opens the ledger for taking events of providers, on its own connection. */
export async function openTaking(location: string, now: () => number) {
  const db = await openDatabase(location, { checkpoints: false });
  return { takeWaiting: createTakeWaiting(db, now), close: () => db.close() };
}

/** Opens the ledger for a trial of reports, of which nothing is kept. */
export async function openTrial(location: string) {
  return createTrial(await openDatabase(location, { checkpoints: false }));
}

/** Opens the ledger's tables for copying, with their schema. */
export async function openLedgerTables(location: string, { checkpoints = false } = {}) {
  const db = await openDatabase(location, { checkpoints });
  return { db, schema: LEDGER.tables, close: () => db.close() };
}

/**
 * Runs `work` with a read-only ledger, which also works beside a running server. Returns `undefined`
 * if there is no ledger.
 */
export async function withLedgerCounts<T>(
  location: string,
  work: (ledger: ReturnType<typeof createCounts>) => T | Promise<T>,
): Promise<T | undefined> {
  if (!isPostgres(location) && !existsSync(location)) return undefined;
  const db = openReadOnly(location);
  try {
    return await work(createCounts(db));
  } finally {
    await db.close();
  }
}

/** The counts of the ledger's outbox and the journal, by their number in batch ids. */
export async function readQueues(paths: Readonly<Record<'ledger' | 'journals', string>>) {
  const queues = new Map<number, QueueCounts>();
  const outbox = await withLedgerCounts(paths.ledger, (ledger) => ledger.readOutbox());
  if (outbox !== undefined) queues.set(OUTBOX, outbox);
  const journal = readJournalCounts(paths.journals);
  if (journal !== undefined) queues.set(JOURNAL, journal);
  return queues;
}
