import type { CountedBatches } from '#contract/counted-batches.ts';
import { keptSince, parseRetention } from '#domain/time/parse-retention.ts';
import type { TrustedNow } from '#storage/keep-clock.ts';
import { scrubDatabase } from '#storage/scrub-database.ts';
import { type Database, isPostgres, type Sql } from '#storage/sql/sql.ts';
import { createPersonRemaker } from '../persons/remake-person.ts';
import { resolveAll } from '../persons/resolve-persons.ts';
import { openDatabase } from '../schema/open-database.ts';
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
  isAnythingDue(): Promise<boolean>;
  /** Requests the erasures that retention requires now. */
  requestExpiries(): Promise<void>;
  /** The oldest unfinished erasure, if any. A started one comes first, because its events are counted. */
  findNext(): Promise<ErasureWork | undefined>;
  /** The subject of an erasure, after resolving all pending facts. */
  findSubject(erasure: ErasureWork): Promise<Subject>;
  /** Saves the subject. */
  begin(id: string, person: Subject): Promise<void>;
  /** Saves further batches with events to delete. Returns all batches. */
  addCounted(
    id: string,
    held: readonly (CountedBatches & { readonly rows: number })[],
  ): Promise<readonly CountedBatches[]>;
  /** Deletes the person from the ledger. Idempotent. */
  erasePerson(erasure: Erasure, person: Subject): Promise<void>;
  /** Whether the warehouse has the latest version of every payment. */
  isShipped(): Promise<boolean>;
  /** Records that all stores are done, saves the archive's counts, and deletes the subject. */
  forgetSubject(id: string, counts: ErasureCounts): Promise<void>;
  /** Resolves when the ledger's files no longer contain deleted data. */
  scrub(): Promise<void>;
  /** Marks the erasure as done. */
  finish(id: string): Promise<void>;
  close(): Promise<void>;
}

/** The tables that an erasure deletes from. */
const SCRUBBED = [
  'payments',
  'refunds',
  'identities',
  'separations',
  'persons',
  'person_keys',
  'people',
  'answers',
  'payment_changes',
  'set_aside_batches',
  'erasures',
];

type SavedState = Pick<ErasureWork, 'visitorId' | 'scope' | 'uptimeMs' | 'person' | 'counted'>;

/** Opens the ledger for erasures. Retention uses `trustedNow`, and pauses while it is undefined. */
export async function openErasures(
  location: string,
  now: () => number,
  trustedNow: TrustedNow = now,
): Promise<Erasures> {
  const db = await openDatabase(location, { checkpoints: false });
  const sites = createSiteStore(db, now);

  /** Updates the saved state of an erasure. New counts are merged into the earlier ones. */
  function update(
    id: string,
    state: string,
    change: (
      before: ErasureCounts,
      saved: SavedState,
      sql: Sql,
    ) => Promise<[SavedState, ErasureCounts]>,
  ): Promise<void> {
    return db.transaction(async (sql) => {
      const row = await sql.get('SELECT subject, counts FROM erasures WHERE id = ?', id);
      const before = JSON.parse(String(row?.counts)) as ErasureCounts;
      const saved = JSON.parse(String(row?.subject)) as SavedState;
      const [next, counts] = await change(before, saved, sql);
      await sql.run(
        'UPDATE erasures SET state = ?, subject = ?, counts = ? WHERE id = ?',
        ...[state, JSON.stringify(next), JSON.stringify({ ...before, ...counts }), id],
      );
    });
  }

  /** The sites with events past retention. The cut-off moves at midnight in the site's time zone. */
  async function findDue(): Promise<{ readonly siteId: string; readonly before: number }[]> {
    const at = trustedNow();
    if (at === undefined) return [];
    const all = [...(await sites.listSites()), ...(await sites.listRemovedSites())];
    const done = await db.all(
      'SELECT site_id, max(before) AS before FROM erasures GROUP BY site_id',
    );
    const doneBefore = new Map(done.map((row) => [row.site_id, row.before as number | null]));
    return all.flatMap(({ id: siteId, timezone, settings }: Site) => {
      const retention = parseRetention(settings.retention ?? '');
      if (retention === undefined) return [];
      const before = keptSince(retention, at, timezone);
      const last = doneBefore.get(siteId) ?? null;
      return last !== null && last >= before ? [] : [{ siteId, before }];
    });
  }

  async function findNext(): Promise<ErasureWork | undefined> {
    const row = await db.get(`
      SELECT * FROM erasures WHERE state != 'done' ORDER BY state = 'waiting', requested_at, id`);
    return row && { ...toErasure(row), ...(JSON.parse(String(row.subject)) as SavedState) };
  }

  return {
    isAnythingDue: async () => (await findNext()) !== undefined || (await findDue()).length > 0,
    async requestExpiries() {
      for (const { siteId, before } of await findDue()) {
        await db.run(
          `INSERT INTO erasures (id, site_id, state, subject, requested_at, before)
           VALUES (?, ?, 'waiting', '{}', ?, ?) ON CONFLICT DO NOTHING`,
          ...[`retention_${siteId}_${before}`, siteId, now(), before],
        );
      }
    },
    findNext,
    async findSubject({ siteId, visitorId = '', scope = 'visitor' }) {
      await resolveAll(db);
      return findSubject(db, siteId, visitorId, scope);
    },
    begin: (id, person) =>
      update(id, 'running', async () => [{ person }, { visitors: person.visitors.length }]),
    async addCounted(id, held) {
      let all: readonly CountedBatches[] = [];
      await update(id, 'running', async ({ events = 0 }, { counted = [], ...saved }, sql) => {
        for (const { journal, rows } of held) {
          await sql.run(
            `INSERT INTO erased_events (erasure_id, journal, rows) VALUES (?, ?, ?)
             ON CONFLICT (erasure_id, journal)
             DO UPDATE SET rows = erased_events.rows + excluded.rows`,
            ...[id, journal, rows],
          );
        }
        all = join(counted, held);
        const rows = held.reduce((sum, each) => sum + each.rows, events);
        return [{ ...saved, counted: all }, { events: rows }];
      });
      return all;
    },
    erasePerson: ({ id, siteId, requestedAt }, person) =>
      update(id, 'running', async (before, saved, sql) => {
        const { remake } = createPersonRemaker(sql);
        const { payments, identities } = await erasePerson(
          ...([sql, siteId, person, requestedAt, remake] as const),
        );
        // A repeated run finds none left.
        return [saved, { payments, identities: Math.max(before.identities ?? 0, identities) }];
      }),
    async isShipped() {
      const row = await db.get(`
        SELECT CASE WHEN (SELECT value FROM counters WHERE name = 'shipped_payments')
          >= (SELECT coalesce(max(version), 0) FROM payments) THEN 1 ELSE 0 END AS shipped`);
      return row?.shipped === 1;
    },
    forgetSubject: (id, counts) =>
      update(id, 'scrubbing', async ({ archived_events: before = 0 }, _, sql) => {
        // Makes every web process clear its memory of visitors.
        await sql.run("UPDATE counters SET value = value + 1 WHERE name = 'erasures'");
        return [{}, { ...counts, archived_events: Math.max(before, counts.archived_events ?? 0) }];
      }),
    scrub: () => scrub(db, location),
    async finish(id) {
      await db.run("UPDATE erasures SET state = 'done', done_at = ? WHERE id = ?", now(), id);
    },
    close: () => db.close(),
  };
}

/** PostgreSQL reuses the room of deleted rows by itself; `VACUUM` makes it free at once. */
async function scrub(db: Database, location: string): Promise<void> {
  if (!isPostgres(location)) return scrubDatabase(location);
  for (const table of SCRUBBED) await db.exec(`VACUUM ${table}`);
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
