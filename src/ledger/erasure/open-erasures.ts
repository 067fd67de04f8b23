import type { CountedBatches } from '#contract/counted-batches.ts';
import { keptSince, parseRetention } from '#domain/time/parse-retention.ts';
import { inTransaction } from '#storage/durable-database.ts';
import type { TrustedNow } from '#storage/keep-clock.ts';
import { scrubDatabase } from '#storage/scrub-database.ts';
import { openDatabase } from '../open-database.ts';
import { createPersonRemaker } from '../persons/remake-person.ts';
import { createPersonResolver } from '../persons/resolve-persons.ts';
import { createSiteStore, type Site } from '../sites/sites.ts';
import { erasePerson, findSubject, type Subject, type SubjectScope } from './erase-person.ts';
import { type Erasure, type ErasureCounts, toErasure } from './erasure-store.ts';

/** A running erasure, with the state that must survive a crash. */
export type ErasureWork = Erasure & {
  /** The visitor whose erasure was requested; undefined for retention. */
  readonly visitorId?: string;
  readonly scope?: SubjectScope;
  /** The machine's uptime at the time of the request. */
  readonly uptimeMs?: number;
  /** The visitor's person, once known. */
  readonly person?: Subject;
  /** Batches with events to delete, once counted. */
  readonly counted?: readonly CountedBatches[];
};

/** The ledger's part of erasures and retention, on its own connection. */
export interface Erasures {
  /** Whether an erasure is unfinished, or a site has events past its retention. */
  isAnythingDue(): boolean;
  /** Requests the erasures that retention requires now. */
  requestExpiries(): void;
  /** The oldest unfinished erasure, if any. A started one comes first, because its events are counted. */
  findNext(): ErasureWork | undefined;
  /** The subject of an erasure, after resolving all pending facts. */
  findSubject(erasure: ErasureWork): Subject;
  /** Saves the subject. */
  begin(id: string, person: Subject): void;
  /** Saves further batches with events to delete. Returns all batches. */
  addCounted(
    id: string,
    held: readonly (CountedBatches & { readonly rows: number })[],
  ): readonly CountedBatches[];
  /** Deletes the person from the ledger. Idempotent. */
  erasePerson(erasure: Erasure, person: Subject): void;
  /** Whether the warehouse has the latest version of every payment. */
  isShipped(): boolean;
  /** Records that all stores are done, saves the archive's counts, and deletes the subject. */
  forgetSubject(id: string, counts: ErasureCounts): void;
  /** Resolves when the ledger's files no longer contain deleted data. */
  scrub(): Promise<void>;
  /** Marks the erasure as done. */
  finish(id: string): void;
  close(): void;
}

type SavedState = Pick<ErasureWork, 'visitorId' | 'scope' | 'uptimeMs' | 'person' | 'counted'>;

/** Opens the ledger at `path` for erasures. Retention uses `trustedNow`, and pauses while it is undefined. */
export function openErasures(
  path: string,
  now: () => number,
  trustedNow: TrustedNow = now,
): Erasures {
  const db = openDatabase(path, { checkpoints: false });
  const resolver = createPersonResolver(db);
  const remaker = createPersonRemaker(db);
  const sites = createSiteStore(db, now);
  const next = db.prepare(`
    SELECT * FROM erasures WHERE state != 'done' ORDER BY state = 'waiting', requested_at, id`);
  const lastBefore = db.prepare('SELECT max(before) AS before FROM erasures WHERE site_id = ?');
  const request = db.prepare(`
    INSERT OR IGNORE INTO erasures (id, site_id, state, subject, requested_at, before)
    VALUES (?, ?, 'waiting', '{}', ?, ?)`);
  const read = db.prepare('SELECT subject, counts FROM erasures WHERE id = ?');
  const move = db.prepare('UPDATE erasures SET state = ?, subject = ?, counts = ? WHERE id = ?');
  const addRows = db.prepare(`
    INSERT INTO erased_events VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET rows = rows + ?3`);
  const arePaymentsShipped = db.prepare(`
    SELECT (SELECT value FROM counters WHERE name = 'shipped_payments')
      >= (SELECT coalesce(max(version), 0) FROM payments) AS shipped`);
  const end = db.prepare("UPDATE erasures SET state = 'done', done_at = ? WHERE id = ?");

  /** Updates the saved state of an erasure. New counts are merged into the earlier ones. */
  function update(
    id: string,
    state: string,
    change: (before: ErasureCounts, saved: SavedState) => [SavedState, ErasureCounts],
  ) {
    inTransaction(db, () => {
      const row = read.get(id);
      const before = JSON.parse(String(row?.counts)) as ErasureCounts;
      const [saved, counts] = change(before, JSON.parse(String(row?.subject)) as SavedState);
      move.run(state, JSON.stringify(saved), JSON.stringify({ ...before, ...counts }), id);
    });
  }

  /** The sites with events past retention. The cut-off moves at midnight in the site's time zone. */
  function findDue(): { readonly siteId: string; readonly before: number }[] {
    const at = trustedNow();
    if (at === undefined) return [];
    const all = [...sites.listSites(), ...sites.listRemovedSites()];
    return all.flatMap(({ id: siteId, timezone, settings }: Site) => {
      const retention = parseRetention(settings.retention ?? '');
      if (retention === undefined) return [];
      const before = keptSince(retention, at, timezone);
      const done = lastBefore.get(siteId)?.before as number | null;
      return done !== null && done >= before ? [] : [{ siteId, before }];
    });
  }

  return {
    isAnythingDue: () => next.get() !== undefined || findDue().length > 0,
    requestExpiries() {
      for (const { siteId, before } of findDue()) {
        request.run(`retention_${siteId}_${before}`, siteId, now(), before);
      }
    },
    findNext() {
      const row = next.get();
      return row && { ...toErasure(row), ...(JSON.parse(String(row.subject)) as SavedState) };
    },
    findSubject({ siteId, visitorId = '', scope = 'visitor' }) {
      while (resolver.resolveSome());
      return findSubject(db, siteId, visitorId, scope);
    },
    begin(id, person) {
      update(id, 'running', () => [{ person }, { visitors: person.visitors.length }]);
    },
    addCounted(id, held) {
      let all: readonly CountedBatches[] = [];
      update(id, 'running', ({ events = 0 }, { counted = [], ...saved }) => {
        for (const { journal, rows } of held) addRows.run(id, journal, rows);
        all = join(counted, held);
        const rows = held.reduce((sum, each) => sum + each.rows, events);
        return [{ ...saved, counted: all }, { events: rows }];
      });
      return all;
    },
    erasePerson({ id, siteId, requestedAt }, person) {
      update(id, 'running', (before, saved) => {
        const { payments, identities } = erasePerson(
          ...([db, siteId, person, requestedAt] as const),
          remaker.remake,
        );
        // A repeated run finds none left.
        return [saved, { payments, identities: Math.max(before.identities ?? 0, identities) }];
      });
    },
    isShipped: () => arePaymentsShipped.get()?.shipped === 1,
    forgetSubject(id, counts) {
      update(id, 'scrubbing', ({ archived_events: before = 0 }) => {
        // Makes every web process clear its memory of visitors.
        db.exec("UPDATE counters SET value = value + 1 WHERE name = 'erasures'");
        return [{}, { ...counts, archived_events: Math.max(before, counts.archived_events ?? 0) }];
      });
    },
    scrub: () => scrubDatabase(path),
    finish: (id) => void end.run(now(), id),
    close: () => db.close(),
  };
}

function join(
  before: readonly CountedBatches[],
  held: readonly CountedBatches[],
): CountedBatches[] {
  const journals = Map.groupBy([...before, ...held], ({ journal }) => journal);
  return [...journals].map(([journal, each]) => ({
    journal,
    lastBatch: Math.max(...each.map(({ lastBatch }) => lastBatch)),
    blocks: [...new Set(each.flatMap(({ blocks }) => blocks))],
  }));
}
