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

/** An erasure under way, with all that a crash must not lose. */
export type ErasureWork = Erasure & {
  /** Whose erasure is requested; not for retention. */
  readonly visitorId?: string;
  readonly scope?: SubjectScope;
  /** How long the machine had run when it was requested. */
  readonly uptimeMs?: number;
  /** The person that the visitor is, once it is known. */
  readonly person?: Subject;
  /** Events that go, once they are counted. */
  readonly counted?: readonly CountedBatches[];
};

/** The ledger's part in erasures and retention, on a connection of its own. */
export interface Erasures {
  /** Whether an erasure is not done, or a site has events that are older than it keeps them. */
  isAnythingDue(): boolean;
  /** Requests what retention deletes by now. */
  requestExpiries(): void;
  /** The oldest that is not done, if any; first one that has begun, as its events are counted. */
  findNext(): ErasureWork | undefined;
  /** Whom it is about, after taking in whatever is new. */
  findSubject(erasure: ErasureWork): Subject;
  /** Notes who it is. */
  begin(id: string, person: Subject): void;
  /** Notes more events that go; returns all. */
  addCounted(
    id: string,
    held: readonly (CountedBatches & { readonly rows: number })[],
  ): readonly CountedBatches[];
  /** Takes the person out of the ledger. Safe to repeat. */
  erasePerson(erasure: Erasure, person: Subject): void;
  /** Whether the warehouse has every payment as it is now. */
  isShipped(): boolean;
  /** Everything is gone from all stores: notes what the archive held, and forgets who it was. */
  forgetSubject(id: string, counts: ErasureCounts): void;
  /** Resolves when the ledger's files hold nothing of what was deleted. */
  scrub(): Promise<void>;
  /** The receipt is complete. */
  finish(id: string): void;
  close(): void;
}

type Noted = Pick<ErasureWork, 'visitorId' | 'scope' | 'uptimeMs' | 'person' | 'counted'>;

/** Opens the ledger at `path` for erasing. What is old is so by `trustedNow`: nothing while it does not know. */
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

  /** Changes what is noted of an erasure; `counts` are added to those before. */
  function note(
    id: string,
    state: string,
    change: (before: ErasureCounts, noted: Noted) => [Noted, ErasureCounts],
  ) {
    inTransaction(db, () => {
      const row = read.get(id);
      const before = JSON.parse(String(row?.counts)) as ErasureCounts;
      const [noted, counts] = change(before, JSON.parse(String(row?.subject)) as Noted);
      move.run(state, JSON.stringify(noted), JSON.stringify({ ...before, ...counts }), id);
    });
  }

  /** The bound moves at midnight in the site's time zone. */
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
      return row && { ...toErasure(row), ...(JSON.parse(String(row.subject)) as Noted) };
    },
    findSubject({ siteId, visitorId = '', scope = 'visitor' }) {
      while (resolver.resolveSome());
      return findSubject(db, siteId, visitorId, scope);
    },
    begin(id, person) {
      note(id, 'running', () => [{ person }, { visitors: person.visitors.length }]);
    },
    addCounted(id, held) {
      let all: readonly CountedBatches[] = [];
      note(id, 'running', ({ events = 0 }, { counted = [], ...noted }) => {
        for (const { journal, rows } of held) addRows.run(id, journal, rows);
        all = join(counted, held);
        const rows = held.reduce((sum, each) => sum + each.rows, events);
        return [{ ...noted, counted: all }, { events: rows }];
      });
      return all;
    },
    erasePerson({ id, siteId, requestedAt }, person) {
      note(id, 'running', (before, noted) => {
        const { payments, identities } = erasePerson(
          ...([db, siteId, person, requestedAt] as const),
          remaker.remake,
        );
        // A repetition finds none left.
        return [noted, { payments, identities: Math.max(before.identities ?? 0, identities) }];
      });
    },
    isShipped: () => arePaymentsShipped.get()?.shipped === 1,
    forgetSubject(id, counts) {
      note(id, 'scrubbing', ({ archived_events: before = 0 }) => {
        // Every web process forgets whom it has in memory.
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
