import type { CountedBatches } from '#domain/identity/counted-batches.ts';
import type { Erasure, ErasureCounts, ErasureWork } from '#domain/identity/erasure.ts';
import type { Subject } from '#domain/identity/person.ts';
import type { Site } from '#domain/site/site.ts';
import { keptSince, parseRetention } from '#domain/time/parse-retention.ts';
import type { TrustedNow } from '#storage/keep-clock.ts';
import { scrubDatabase } from '#storage/scrub-database.ts';
import { tablesOf } from '#storage/sql/copy-tables.ts';
import { type Database, isPostgres, type Sql } from '#storage/sql/sql.ts';
import { resolveAll } from '../persons/resolve-persons.ts';
import { LEDGER } from '../schema/schema.ts';
import { createSiteStore } from '../sites/sites.ts';
import { erasePerson, findSubject } from './erase-person.ts';
import { toErasure } from './erasure-store.ts';

/** What of a running erasure must survive a crash. */
type SavedState = Pick<ErasureWork, 'visitorId' | 'scope' | 'uptimeMs' | 'person' | 'counted'>;

/** Batches with events to delete, and how many. */
type HeldBatches = CountedBatches & { readonly rows: number };

/** The location and clocks of a ledger. Retention uses `trustedNow`, and pauses while it is undefined. */
export type ErasureOptions = {
  readonly location: string;
  readonly now: () => number;
  readonly trustedNow: TrustedNow;
};

/** The ledger's part of erasures and retention. */
export function createErasures(db: Database, { location, now, trustedNow }: ErasureOptions) {
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
    async findSubject({ siteId, visitorId = '', scope = 'visitor' }: ErasureWork) {
      await resolveAll(db);
      return findSubject(db, siteId, visitorId, scope);
    },
    begin: (id: string, person: Subject) =>
      update(id, 'running', async () => [{ person }, { visitors: person.visitors.length }]),
    async addCounted(id: string, held: readonly HeldBatches[]) {
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
    erasePerson: ({ id, siteId, requestedAt }: Erasure, person: Subject) =>
      update(id, 'running', async (before, saved, sql) => {
        const { payments, identities } = await erasePerson(sql, siteId, person, requestedAt);
        // A repeated run finds none left.
        return [saved, { payments, identities: Math.max(before.identities ?? 0, identities) }];
      }),
    async isShipped() {
      const row = await db.get(`
        SELECT CASE WHEN (SELECT value FROM counters WHERE name = 'shipped_payments')
          >= (SELECT coalesce(max(version), 0) FROM payments) THEN 1 ELSE 0 END AS shipped`);
      return row?.shipped === 1;
    },
    forgetSubject: (id: string, counts: ErasureCounts) =>
      update(id, 'scrubbing', async ({ archived_events: before = 0 }, _, sql) => {
        // Makes every web process clear its memory of visitors.
        await sql.run("UPDATE counters SET value = value + 1 WHERE name = 'erasures'");
        return [{}, { ...counts, archived_events: Math.max(before, counts.archived_events ?? 0) }];
      }),
    scrub: () => scrub(db, location),
    async finish(id: string) {
      await db.run("UPDATE erasures SET state = 'done', done_at = ? WHERE id = ?", now(), id);
    },
  };
}

/** PostgreSQL reuses the room of deleted rows by itself; `VACUUM` makes it free at once. */
async function scrub(db: Database, location: string): Promise<void> {
  if (!isPostgres(location)) return scrubDatabase(location);
  for (const table of tablesOf(LEDGER.tables)) await db.exec(`VACUUM ${table}`);
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
