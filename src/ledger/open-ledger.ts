import { toLineTail } from '#contract/event-lines.ts';
import type { EventRow } from '#contract/event-row.ts';
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

/** The small, transactional truth: sites, keys, payments. */
export interface Ledger
  extends SiteStore,
    KeyStore,
    PaymentList,
    ChangesByHand,
    ErasureStore,
    PersonDirectory,
    Pick<Directory, 'findSite' | 'findKey'> {
  /** Resolves after the fsync. Throws UnavailableError when nothing was recorded. */
  acceptPayment(
    siteId: string,
    report: PaymentReport,
    claim?: AnsweredClaim,
  ): Promise<LedgerOutcome>;
  /**
   * Keeps the events and the answer in one transaction, without those whose `onceId` their site has
   * sent within the last two days. Throws as `acceptPayment` does. A claim is one of the site of
   * all its events.
   */
  acceptEvents(events: readonly KeptEvent[], claim?: AnsweredClaim): Promise<EventsOutcome>;
  /** Counts events that were not recorded. Throws as `acceptPayment` does. */
  saveDrops(counts: readonly DropCount[], samples: readonly DropSample[]): Promise<void>;
  /** Events of a site that were not recorded. */
  readonly findDrops: DropStore['findDrops'];
  readonly searchPersons: SearchPersons;
  /** Bytes of the outbox that wait to be shipped, at most half a second old. */
  outboxBytes(): number;
  /** The answer already given for this key, if any. */
  findAnswer(siteId: string, claim: Claim): EarlierAnswer | undefined;
  /** Notes that there is a journal; answers whether there was one before. */
  registerJournal(): boolean;
  /** Throws UnavailableError while the ledger's file is gone from its place. */
  assertInPlace(): void;
  /** Joins of visitors that would have given a person too many of them. */
  countRefusedJoins(): number;
  /** Payments on record, placeholders of unknown ones included, and refunds of their own ids. */
  countPayments(): { readonly payments: number; readonly refunds: number };
  close(): Promise<void>;
}

/** An event, and the id under which it counts once, if it does. */
export type KeptEvent = {
  readonly row: EventRow;
  readonly onceId?: string | undefined;
  /** What backs an identify; an API key by default. */
  readonly proof?: Proof | undefined;
};

/** Where the ledger lies, and who hears of news for the warehouse. */
export type LedgerOptions = {
  readonly path: string;
  readonly now?: () => number;
  /** Called after every payment or goal that the warehouse does not have yet. */
  onRecorded?(): void;
  /** Called when a person was erased, by any process: caches must forget. */
  onErased?(): void;
};

/** A change by another process is seen within a second; half of that leaves room. */
const REFRESH_INTERVAL_MS = 500;
/** A disk that fails for so many refreshes ends the process; its next start says why. */
const REFRESH_FAILURES_MAX = 20;
const KEY_USES_INTERVAL_MS = 60_000;

/**
 * Opens or makes the ledger at `path`.
 *
 * - Throws when SQLite is not what durability needs, or the file is of another version of this program.
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
    if (news !== newsSeen) onRecorded?.(); // A command has changed payments or persons, perhaps.
    newsSeen = news;
  }

  /** A change of sites or keys, which every process hears of. */
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
    countPayments() {
      const count = (table: string) =>
        Number(db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n);
      return { payments: count('payments'), refunds: count('refunds') };
    },
    async close() {
      for (const timer of timers) clearInterval(timer);
      await saveKeyUses().catch(() => {}); // When a key was used last is nice to know, no more.
      await writer.close();
      db.close();
    },
  };
}

function toLedgerEvent({ row, onceId, proof = 'key' }: KeptEvent) {
  const identity = findIdentity(row, proof);
  return { siteId: row.site_id, onceId, lineTail: toLineTail(row), identity };
}
