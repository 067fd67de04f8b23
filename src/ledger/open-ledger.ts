import { toLineTail } from '#contract/rows/event-lines.ts';
import type { EventRow } from '#contract/rows/event-row.ts';
import type { PaymentReport } from '#domain/money/payment-record.ts';
import { inTransaction } from '#storage/durable-database.ts';
import {
  type AnsweredClaim,
  type Claim,
  createAnswerStore,
  type EarlierAnswer,
} from './answer-store.ts';
import { type ChangesByHand, createChangesByHand } from './changes-by-hand.ts';
import type { EventsOutcome, LedgerOutcome } from './commit-entries.ts';
import { createPlaceCheck } from './create-place-check.ts';
import { createDirectory, type Directory } from './directory.ts';
import { createDropStore, type DropCount, type DropSample, type DropStore } from './drop-store.ts';
import { createErasureStore, type ErasureStore } from './erasure/erasure-store.ts';
import { findIdentity, type Proof } from './identity-store.ts';
import { createKeyStore, type KeyStore } from './keys.ts';
import { createLedgerWriter } from './ledger-writer.ts';
import { openDatabase } from './open-database.ts';
import { createPaymentList, type PaymentList } from './payments/list-payments.ts';
import { createPersonDirectory, type PersonDirectory } from './persons/find-person-keys.ts';
import { createSearchPersons, type SearchPersons } from './persons/search-persons.ts';
import { createSiteStore, type SiteStore } from './sites/sites.ts';

/** The transactional source of truth: sites, keys, payments, persons. */
export interface Ledger
  extends SiteStore,
    KeyStore,
    PaymentList,
    ChangesByHand,
    ErasureStore,
    PersonDirectory,
    Pick<Directory, 'findSite' | 'findKey'> {
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
  readonly findDrops: DropStore['findDrops'];
  readonly searchPersons: SearchPersons;
  /** Unshipped bytes of the outbox. The value is at most half a second old. */
  outboxBytes(): number;
  /** The stored answer for this idempotency key, if any. */
  findAnswer(siteId: string, claim: Claim): EarlierAnswer | undefined;
  /** Records that a journal exists. Returns whether one existed before. */
  registerJournal(): boolean;
  /** Throws UnavailableError while the ledger's file is missing or replaced. */
  assertInPlace(): void;
  /** Number of joins refused because a person would have had too many visitors. */
  countRefusedJoins(): number;
  /** Number of payments, including placeholders, and of refunds with their own ids. */
  countPayments(): { readonly payments: number; readonly refunds: number };
  close(): Promise<void>;
}

/** An event to record, and the id that deduplicates it, if any. */
export type KeptEvent = {
  readonly row: EventRow;
  readonly onceId?: string | undefined;
  /** The proof behind an identify. Default: `key`. */
  readonly proof?: Proof | undefined;
};

/** Path and callbacks of the ledger. */
export type LedgerOptions = {
  readonly path: string;
  readonly now?: () => number;
  /** Called after every change that must ship to the warehouse. */
  onRecorded?(): void;
  /** Called when any process has erased a person, so that caches are cleared. */
  onErased?(): void;
};

/** Changes by other processes must be visible within a second. Half of that leaves a margin. */
const REFRESH_INTERVAL_MS = 500;
/** After this many failed refreshes, the process ends. Its next start reports the reason. */
const REFRESH_FAILURES_MAX = 20;
const KEY_USES_INTERVAL_MS = 60_000;

/**
 * Opens or creates the ledger at `path`.
 *
 * - Throws if SQLite cannot guarantee durability, or if the file belongs to another version of this program.
 * - Its timers do not keep the process alive.
 */
export function openLedger(options: LedgerOptions): Ledger {
  const { path, now = Date.now, onRecorded, onErased } = options;
  const db = openDatabase(path, { checkpoints: false });
  const sites = createSiteStore(db, now);
  const keys = createKeyStore(db, now);
  const directory = createDirectory(db, sites, now);
  const answers = createAnswerStore(db);
  const erasures = createErasureStore(db, now);
  const readErasures = db.prepare("SELECT value FROM counters WHERE name = 'erasures'");
  let erasuresSeen = readErasures.get()?.value;
  const readNews = db.prepare(
    "SELECT sum(value) AS news FROM counters WHERE name IN ('payments', 'persons')",
  );
  let newsSeen = readNews.get()?.news;
  const assertInPlace = createPlaceCheck(path);
  const writer = createLedgerWriter({ path }, assertInPlace);
  const readOutboxBytes = db.prepare("SELECT value FROM counters WHERE name = 'outbox_bytes'");
  let outboxBytes = Number(readOutboxBytes.get()?.value);
  const readRefusedJoins = db.prepare("SELECT value FROM counters WHERE name = 'refused_joins'");
  const registerJournal = db.prepare(
    "UPDATE counters SET value = 1 WHERE name = 'journal' AND value = 0",
  );
  const countAll = db.prepare(`
    SELECT (SELECT count(*) FROM payments) AS payments, (SELECT count(*) FROM refunds) AS refunds`);
  const bumpRevision = db.prepare("UPDATE counters SET value = value + 1 WHERE name = 'directory'");
  const timers = [
    setInterval(tryToRefresh, REFRESH_INTERVAL_MS).unref(),
    setInterval(() => void saveKeyUses().catch(() => {}), KEY_USES_INTERVAL_MS).unref(),
  ];

  let failures = 0;
  function tryToRefresh(): void {
    try {
      refresh();
      failures = 0;
    } catch (error) {
      failures += 1;
      if (failures === REFRESH_FAILURES_MAX) throw error;
    }
  }

  function refresh(): void {
    directory.refresh();
    outboxBytes = Number(readOutboxBytes.get()?.value);
    const erased = readErasures.get()?.value;
    if (erased !== erasuresSeen) onErased?.();
    erasuresSeen = erased;
    const news = readNews.get()?.news;
    if (news !== newsSeen) onRecorded?.(); // A command may have changed payments or persons.
    newsSeen = news;
  }

  /** Changes sites or keys, and makes every process reload them. */
  function change<T>(work: () => T): T {
    const answer = inTransaction(db, () => {
      bumpRevision.run();
      return work();
    });
    directory.refresh();
    return answer;
  }

  async function saveKeyUses(): Promise<void> {
    const uses = [...directory.takeKeyUses()];
    await Promise.all(
      uses.map(([keyId, usedAt]) => writer.add({ kind: 'key_use', keyId, usedAt })),
    );
  }

  function notify<O extends LedgerOutcome>(outcome: O): O {
    if (outcome.kind === 'recorded') onRecorded?.();
    return outcome;
  }

  return {
    addSite: (site) => change(() => sites.addSite(site)),
    listSites: sites.listSites,
    hasPayments: sites.hasPayments,
    listRemovedSites: sites.listRemovedSites,
    setSite: (...site) => change(() => sites.setSite(...site)),
    setChannels: (idOrDomain, alter) => change(() => sites.setChannels(idOrDomain, alter)),
    rotateIdentitySecret: (idOrDomain) => change(() => sites.rotateIdentitySecret(idOrDomain)),
    removeSite: (idOrDomain) => change(() => sites.removeSite(idOrDomain)),
    findSite: directory.findSite,
    createKey: (key) => change(() => keys.createKey(key)),
    listKeys: keys.listKeys,
    revokeKey: (id) => change(() => keys.revokeKey(id)),
    rotateKey: (id, options) => change(() => keys.rotateKey(id, options)),
    findKey: directory.findKey,
    async acceptPayment(siteId, report, claim) {
      return notify(await writer.add({ kind: 'payment', siteId, report, claim }));
    },
    async acceptEvents(events, claim) {
      const siteId = events[0]?.row.site_id ?? '';
      const kept = events.map(toLedgerEvent);
      const outcome = await writer.add({ kind: 'events', siteId, events: kept, claim });
      return notify(outcome as EventsOutcome);
    },
    outboxBytes: () => outboxBytes,
    assertInPlace,
    ...erasures,
    requestErasure(...who) {
      assertInPlace();
      return erasures.requestErasure(...who);
    },
    async saveDrops(counts, samples) {
      await writer.add({ kind: 'drops', counts, samples });
    },
    findDrops: createDropStore(db).findDrops,
    ...createPaymentList(db),
    ...createChangesByHand(db, { assertInPlace, onRecorded, now }),
    searchPersons: createSearchPersons(db),
    ...createPersonDirectory(db),
    findAnswer: answers.findAnswer,
    registerJournal: () => Number(registerJournal.run().changes) === 0,
    countRefusedJoins: () => Number(readRefusedJoins.get()?.value),
    countPayments: () => ({ ...countAll.get() }) as { payments: number; refunds: number },
    async close() {
      for (const timer of timers) clearInterval(timer);
      await saveKeyUses().catch(() => {}); // Losing a key's last use is acceptable.
      await writer.close();
      db.close();
    },
  };
}

function toLedgerEvent({ row, onceId, proof = 'key' }: KeptEvent) {
  const identity = findIdentity(row, proof);
  return { siteId: row.site_id, onceId, lineTail: toLineTail(row), identity };
}
