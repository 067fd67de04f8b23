import { hash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A visit as all web processes of this machine agree on it. */
export type ClaimedVisit = { readonly visitId: string; readonly visitStartedAt: number };

/** What one web process tells the others of visits that it opens. */
export interface VisitClaims {
  /** The visit that any process has just opened for the visitor, if it is open then; else `fresh`. */
  claim(siteId: string, visitorId: string, at: number, fresh: ClaimedVisit): ClaimedVisit;
  close(): void;
}

/** How claims are kept, and by which clock they grow old. */
export type VisitClaimsOptions = {
  readonly path: string;
  /** Events with a gap of this or more belong to two visits. */
  readonly gapMs: number;
  readonly now?: () => number;
};

/** After this the warehouse knows the visit, and every process asks it. */
const KEPT_MS = 60_000;
const PURGE_EVERY = 500;
/** Longer than this nobody waits for another process: its own visit will do. */
const BUSY_MAX_MS = 1_000;

/**
 * Opens the claims at `path`, a file that all web processes share.
 *
 * - Why no fsync: after a power cut no process has anything open, and the file is made anew.
 * - Why digests: the file must not hold a visitor's id, which an erasure would have to find.
 */
export function openVisitClaims({ path, gapMs, now = Date.now }: VisitClaimsOptions): VisitClaims {
  mkdirSync(dirname(path), { recursive: true });
  const db = new DatabaseSync(path, { timeout: BUSY_MAX_MS });
  db.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = OFF;
    CREATE TABLE IF NOT EXISTS claims (
      visitor BLOB PRIMARY KEY, visit_id TEXT NOT NULL, started_at INTEGER NOT NULL,
      event_at INTEGER NOT NULL, claimed_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS claims_by_age ON claims (claimed_at);
  `);
  const find = db.prepare('SELECT * FROM claims WHERE visitor = ?');
  const save = db.prepare('INSERT OR REPLACE INTO claims VALUES (?, ?, ?, ?, ?)');
  const purge = db.prepare('DELETE FROM claims WHERE claimed_at < ?');
  let claims = 0;

  function findOpen(visitor: Buffer, at: number): ClaimedVisit | undefined {
    const row = find.get(visitor);
    if (row === undefined || Math.abs(at - Number(row.event_at)) >= gapMs) return undefined;
    return { visitId: String(row.visit_id), visitStartedAt: Number(row.started_at) };
  }

  function claim(visitor: Buffer, at: number, fresh: ClaimedVisit): ClaimedVisit {
    const visit = findOpen(visitor, at) ?? fresh;
    save.run(visitor, visit.visitId, visit.visitStartedAt, at, now());
    claims += 1;
    if (claims % PURGE_EVERY === 0) purge.run(now() - KEPT_MS);
    return visit;
  }

  return {
    claim(siteId, visitorId, at, fresh) {
      const visitor = hash('sha256', `${siteId} ${visitorId}`, 'buffer').subarray(0, 16);
      try {
        db.exec('BEGIN IMMEDIATE');
        try {
          return claim(visitor, at, fresh);
        } finally {
          db.exec('COMMIT');
        }
      } catch {
        return fresh; // It is a courtesy between processes: no event is refused for it.
      }
    },
    close: () => db.close(),
  };
}
