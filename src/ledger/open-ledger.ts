import { existsSync } from 'node:fs';
import type { MessagePort } from 'node:worker_threads';
import type { KeptEvent } from '#contract/rows/event-row.ts';
import type { AnsweredClaim, Claim, EarlierAnswer } from '#domain/claim.ts';
import type { PaymentReport } from '#domain/money/payment-record.ts';
import type { InboxEvent } from '#domain/money/provider-event.ts';
import type { EventsOutcome, PaymentOutcome } from '#domain/outcome.ts';
import type { DropCount, DropSample } from '#domain/visit/dropped-events.ts';
import { keepRunning } from '#jobs/keep-running.ts';
import { type QueueCounts, readJournalCounts } from '#storage/queue-counts.ts';
import { JOURNAL, OUTBOX } from '#storage/shipment-token.ts';
import { isPostgres, type Sql } from '#storage/sql/sql.ts';
import { callThrough } from '#storage/worker-calls.ts';
import { findAnswer } from './commit/answer-store.ts';
import type { LedgerOutcome } from './commit/commit-entries.ts';
import { findDrops } from './commit/drop-store.ts';
import { createLedgerWriter } from './commit/ledger-writer.ts';
import { toLedgerEvent } from './commit/record-events.ts';
import { type Commands, createCommands, type TakeEvents } from './create-commands.ts';
import { createCounts } from './create-counts.ts';
import { createProjection } from './create-projection.ts';
import { openDirectory } from './directory.ts';
import { createTrial } from './imports/create-trial.ts';
import { createImportStore } from './imports/imports.ts';
import { askOwner, ownHere, runOwner, startOwner } from './owner.ts';
import { createPaymentList } from './payments/list-payments.ts';
import type { KnownRates } from './payments/site-money.ts';
import { createPersonDirectory } from './persons/find-person-keys.ts';
import { createSearchPersons } from './persons/search-persons.ts';
import { readCounter } from './schema/counters.ts';
import { cannotWrite, createPlaceCheck } from './schema/create-place-check.ts';
import { openDatabase, openReadOnly } from './schema/open-database.ts';
import { LEDGER } from './schema/schema.ts';

type LedgerOptions = {
  /** The path of an SQLite file, or the URL of a PostgreSQL database. */
  readonly location: string;
  readonly now?: () => number;
  /** The module of the thread that owns the ledger, which calls `runLedgerThread`. Default: this thread owns it. */
  readonly thread?: { readonly module: URL; readonly clockPath: string };
  readonly takeEvents?: TakeEvents;
  /** Called after every change that must ship to the warehouse. */
  onRecorded?(): void;
  /** Called when any process has erased a person, so that caches are cleared. */
  onErased?(): void;
  /** Called when the owner has ended, or the file cannot be read for seconds. */
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
  const { location, now = Date.now, thread, takeEvents } = options;
  const { onRecorded, onErased, onDeath = () => {} } = options;
  const owner =
    thread === undefined
      ? await ownHere(location, now, now, takeEvents)
      : await startOwner(thread.module, { location, clockPath: thread.clockPath }, onDeath);
  const { db, calls } = owner;
  const directory = await openDirectory(db, now);
  const { takeKeyUses, ...lookups } = directory;
  let seen = await readNews(db);
  const assertFile = createPlaceCheck(location);
  let unreachable: unknown;
  const { add, settle } = createLedgerWriter(calls.commit);
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

  /** The commands, after each of which this process knows what it has changed. */
  const followed = (command: (...asked: never[]) => Promise<unknown>) => {
    return async (...asked: never[]) => {
      const answer = await command(...asked);
      await refresh();
      return answer;
    };
  };
  const names = Object.keys(createCommands(db, { location, now, trustedNow: now }));
  const commands = Object.fromEntries(
    (names as (keyof Commands)[]).map((name) => [name, followed(calls[name])]),
  ) as unknown as typeof calls;

  async function saveKeyUses(): Promise<void> {
    const uses = [...takeKeyUses()];
    await Promise.all(uses.map(([keyId, usedAt]) => add({ kind: 'key_use', keyId, usedAt })));
  }

  function notify<O extends LedgerOutcome>(outcome: O): O {
    if (outcome.kind === 'recorded') onRecorded?.();
    return outcome;
  }

  return {
    ...commands,
    /** Keeps a provider's event. Returns whether it is new. Throws like `acceptPayment`. */
    acceptProviderEvent: async (event: InboxEvent) =>
      (await add({ kind: 'provider_event', event })).kind === 'recorded',
    ...lookups,
    async acceptPayment(
      siteId: string,
      report: PaymentReport,
      claim?: AnsweredClaim,
    ): Promise<PaymentOutcome | EarlierAnswer> {
      return notify(await add({ kind: 'payment', siteId, report, claim }));
    },
    async acceptEvents(
      events: readonly KeptEvent[],
      claim?: AnsweredClaim,
    ): Promise<EventsOutcome> {
      const siteId = events[0]?.row.site_id ?? '';
      const entry = { kind: 'events' as const, siteId, events: events.map(toLedgerEvent), claim };
      return notify((await add(entry)) as EventsOutcome);
    },
    /** Unshipped bytes of the outbox. The value is at most half a second old. */
    outboxBytes: () => seen.outboxBytes,
    /** Throws UnavailableError while the file is missing or replaced, or the database cannot be reached. */
    assertInPlace,
    async saveDrops(counts: readonly DropCount[], samples: readonly DropSample[]): Promise<void> {
      await add({ kind: 'drops', counts, samples });
    },
    findDrops: (siteId: string, hours: Parameters<typeof findDrops>[2]) =>
      findDrops(db, siteId, hours),
    ...createPaymentList(db),
    /** For commands alone: a server has no connection here that writes. */
    ...createImportStore(db, { assertInPlace: assertFile, onRecorded, now, add }),
    searchPersons: createSearchPersons(db),
    ...createPersonDirectory(db),
    findAnswer: (siteId: string, claim: Claim) => findAnswer(db, siteId, claim),
    /** Number of joins refused because a person would have had too many visitors. */
    countRefusedJoins: () => readCounter(db, 'refused_joins'),
    async close(): Promise<void> {
      await Promise.all(jobs.map((job) => job.stop()));
      await saveKeyUses().catch(() => {}); // Losing a key's last use is acceptable.
      await settle();
      await owner.close();
    },
  };
}

/** Runs this thread as the owner of a server's ledger. */
export const runLedgerThread = runOwner;

/** The ledger for erasures and retention, of its owner at a port. */
export const callErasures = (port: MessagePort) => callThrough<Commands>({}, port).calls;

/** Opens the ledger for shipping, beside its owner at a port. `onTrouble` is called for batches set aside. */
export async function openProjection(
  location: string,
  rates: KnownRates,
  onTrouble: (trouble: string) => void = () => {},
  port?: MessagePort,
) {
  const owned = port === undefined ? await ownHere(location) : askOwner(location, port);
  return createProjection(owned, rates, onTrouble);
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

/** Reads how much has changed since the ledger began, and the size of its outbox. */
async function readNews(sql: Sql) {
  const rows = await sql.all(`SELECT name, value FROM counters
    WHERE name IN ('payments', 'persons', 'costs', 'directory', 'erasures', 'outbox_bytes')`);
  const countOf = (name: string) => Number(rows.find((row) => row.name === name)?.value);
  return {
    erasures: countOf('erasures'),
    changes: ['payments', 'persons', 'costs', 'directory'].map(countOf).reduce((a, b) => a + b),
    outboxBytes: countOf('outbox_bytes'),
  };
}
