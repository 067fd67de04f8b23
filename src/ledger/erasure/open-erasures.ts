import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from '#storage/durable-database.ts';
import { scrubDatabase } from '#storage/scrub-database.ts';
import { openDatabase } from '../open-database.ts';
import { createPersonResolver } from '../persons/resolve-persons.ts';
import { erasePerson, findSubject, type Subject } from './erase-person.ts';
import { type Erasure, type ErasureCounts, toErasure } from './erasure-store.ts';

/** An erasure under way: all that a crash must not forget. */
export type ErasureWork = {
  readonly subject: Subject;
  readonly batchIds: readonly string[];
  /** Events accepted until then go. */
  readonly until: number;
};

/** The ledger's part in erasures, on a connection of its own. */
export interface Erasures {
  /** The oldest that is not done, if any. */
  findNext(): (Erasure & { readonly visitorId: string | undefined }) | undefined;
  /** Everything that the person of the visitor is known by, after taking in whatever is new. */
  findSubject(siteId: string, visitorId: string): Subject;
  /** Writes down what is to go, with the events that the warehouse will lose, and begins. */
  begin(erasure: Erasure, work: ErasureWork, rowsByJournal: ReadonlyMap<number, number>): void;
  /** Writes down that more goes: events that the warehouse had not when it began. */
  addLate(
    id: string,
    batchIds: readonly string[],
    rowsByJournal: ReadonlyMap<number, number>,
  ): void;
  /** What is to go of an erasure that has begun. */
  readWork(id: string): ErasureWork;
  /** Takes the person out of the ledger. Safe to repeat. */
  erasePerson(erasure: Erasure, subject: Subject): void;
  /** Whether the warehouse has every payment as it is now. */
  isShipped(): boolean;
  /** Notes what the archive held and what of it could not be read, and forgets who it was. */
  forgetSubject(id: string, counts: ErasureCounts): void;
  /** Resolves when the ledger's files hold nothing of what was deleted. */
  scrub(): Promise<void>;
  /** The receipt is complete. */
  finish(id: string, at: number): void;
  close(): void;
}

/** Opens the ledger at `path` for erasing. */
export function openErasures(path: string): Erasures {
  const db = openDatabase(path, { checkpoints: false });
  const resolver = createPersonResolver(db);
  const next = db.prepare("SELECT * FROM erasures WHERE state != 'done' ORDER BY requested_at, id");
  const readSubject = db.prepare('SELECT subject, counts FROM erasures WHERE id = ?');
  const move = db.prepare('UPDATE erasures SET state = ?, subject = ?, counts = ? WHERE id = ?');
  const addRows = db.prepare(`
    INSERT INTO erased_events VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET rows = rows + ?3`);
  const end = db.prepare("UPDATE erasures SET state = 'done', done_at = ? WHERE id = ?");

  const countsOf = (id: string): ErasureCounts =>
    JSON.parse(String(readSubject.get(id)?.counts)) as ErasureCounts;

  const readWork = (id: string): ErasureWork =>
    JSON.parse(String(readSubject.get(id)?.subject)) as ErasureWork;

  /** Events that go; answers how many. */
  function addEvents(id: string, rowsByJournal: ReadonlyMap<number, number>): number {
    for (const [journal, rows] of rowsByJournal) addRows.run(id, journal, rows);
    return [...rowsByJournal.values()].reduce((sum, rows) => sum + rows, 0);
  }

  return {
    findNext() {
      const row = next.get();
      if (row === undefined) return undefined;
      const { visitorId } = JSON.parse(String(row.subject)) as { readonly visitorId?: string };
      return { ...toErasure(row), visitorId };
    },
    findSubject(siteId, visitorId) {
      while (resolver.resolveSome());
      return findSubject(db, siteId, visitorId);
    },
    begin({ id }, work, rowsByJournal) {
      inTransaction(db, () => {
        const events = addEvents(id, rowsByJournal);
        const counts = { visitors: work.subject.visitors.length, events };
        move.run('running', JSON.stringify(work), JSON.stringify(counts), id);
      });
    },
    addLate(id, batchIds, rowsByJournal) {
      inTransaction(db, () => {
        const work = readWork(id);
        const before = countsOf(id);
        const events = (before.events ?? 0) + addEvents(id, rowsByJournal);
        const all = { ...work, batchIds: [...new Set([...work.batchIds, ...batchIds])] };
        move.run('running', JSON.stringify(all), JSON.stringify({ ...before, events }), id);
      });
    },
    readWork,
    erasePerson({ id, siteId, requestedAt }, subject) {
      inTransaction(db, () => {
        const erased = erasePerson(db, siteId, subject, requestedAt);
        const before = countsOf(id);
        const counts = {
          ...before,
          payments: erased.payments,
          // A repetition finds none left.
          identities: Math.max(before.identities ?? 0, erased.identities),
        };
        db.prepare('UPDATE erasures SET counts = ? WHERE id = ?').run(JSON.stringify(counts), id);
      });
    },
    isShipped: () => isPaymentsShipped(db),
    forgetSubject(id, counts) {
      inTransaction(db, () => {
        const before = countsOf(id);
        const archived = Math.max(before.archived_events ?? 0, counts.archived_events ?? 0);
        const all = { ...before, ...counts, archived_events: archived };
        move.run('scrubbing', '{}', JSON.stringify(all), id);
        // Every web process forgets whom it has in memory.
        db.exec("UPDATE counters SET value = value + 1 WHERE name = 'erasures'");
      });
    },
    scrub: () => scrubDatabase(path),
    finish: (id, at) => void end.run(at, id),
    close: () => db.close(),
  };
}

function isPaymentsShipped(db: DatabaseSync): boolean {
  const row = db
    .prepare(`
      SELECT (SELECT value FROM counters WHERE name = 'shipped_payments')
        >= (SELECT coalesce(max(version), 0) FROM payments) AS shipped`)
    .get();
  return row?.shipped === 1;
}
