import { keptSince, parseRetention } from '#domain/time/parse-retention.ts';
import { inTransaction } from '#storage/durable-database.ts';
import { openDatabase } from '../open-database.ts';
import { createSiteStore, type Site } from '../sites.ts';

/** What is to go of a site because it is older than the site keeps anything. */
export type Expiry = {
  readonly siteId: string;
  /** Visits that began before go. */
  readonly since: number;
};

/** An expiry under way: all that a crash must not forget. */
export type ExpiryWork = Expiry & {
  /** Events accepted until then go. */
  readonly until: number;
  readonly batchIds: readonly string[];
};

/** The ledger's part in letting old events go, on a connection of its own. */
export interface Expiries {
  /** Work that was begun and not finished, if any. */
  findUnfinished(): ExpiryWork | undefined;
  /** A site with events to let go that were not yet let go, if any. */
  findDue(): Expiry | undefined;
  /** Writes down what is to go, with the events that the warehouse will lose, and begins. */
  begin(work: ExpiryWork, rowsByJournal: ReadonlyMap<number, number>): void;
  /** Everything before is gone from all stores. */
  finish(work: ExpiryWork): void;
  close(): void;
}

/** Opens the ledger at `path` for letting old events go. */
export function openExpiries(path: string, now: () => number): Expiries {
  const db = openDatabase(path, { checkpoints: false });
  const sites = createSiteStore(db, now);
  const done = db.prepare('SELECT site_id, since FROM expiries');
  const unfinished = db.prepare("SELECT * FROM expiries WHERE state = 'running' LIMIT 1");
  const save = db.prepare("INSERT OR REPLACE INTO expiries VALUES (?, ?, ?, 'running', ?)");
  const addRows = db.prepare(`
    INSERT INTO expired_events VALUES (?1, ?2, ?3, ?3)
    ON CONFLICT DO UPDATE SET rows = rows + ?3, pending = ?3`);
  const clearPending = db.prepare('UPDATE expired_events SET pending = 0 WHERE site_id = ?');
  const end = db.prepare(
    "UPDATE expiries SET state = 'done', batch_ids = '[]' WHERE site_id = ? AND since = ?",
  );
  return {
    findUnfinished() {
      const row = unfinished.get();
      return (
        row && {
          siteId: String(row.site_id),
          since: Number(row.since),
          until: Number(row.until),
          batchIds: JSON.parse(String(row.batch_ids)) as string[],
        }
      );
    },
    findDue() {
      const doneSince = new Map(done.all().map((row) => [String(row.site_id), Number(row.since)]));
      return sites
        .listSites()
        .flatMap((site) => toExpiry(site, now()))
        .find(({ siteId, since }) => since > (doneSince.get(siteId) ?? Number.NEGATIVE_INFINITY));
    },
    begin({ siteId, since, until, batchIds }, rowsByJournal) {
      inTransaction(db, () => {
        save.run(siteId, since, until, JSON.stringify(batchIds));
        for (const [journal, rows] of rowsByJournal) addRows.run(siteId, journal, rows);
      });
    },
    finish({ siteId, since }) {
      inTransaction(db, () => {
        clearPending.run(siteId);
        end.run(siteId, since);
        // Every web process forgets whom it has in memory.
        db.exec("UPDATE counters SET value = value + 1 WHERE name = 'erasures'");
      });
    },
    close: () => db.close(),
  };
}

/** The bound moves at midnight in the site's time zone. */
function toExpiry({ id, timezone, settings }: Site, at: number): Expiry[] {
  const retention = parseRetention(settings.retention ?? '');
  return retention === undefined ? [] : [{ siteId: id, since: keptSince(retention, at, timezone) }];
}
