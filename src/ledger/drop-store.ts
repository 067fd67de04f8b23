import type { DatabaseSync } from 'node:sqlite';

/** Number of dropped events by site, reason and hour. */
export type DropCount = {
  readonly siteId: string;
  readonly reason: string;
  /** Start of the hour, in milliseconds. */
  readonly hourAt: number;
  readonly count: number;
};
/** A dropped event without personal data. */
export type DropSample = Omit<DropCount, 'count'> & {
  readonly type: string;
  readonly host: string;
  readonly path: string;
};
/** Dropped events of a site in a period. */
export type FoundDrops = {
  readonly counts: readonly DropCount[];
  readonly samples: readonly DropSample[];
};

/** Counts and samples of dropped events. */
export interface DropStore {
  saveDrops(counts: readonly DropCount[], samples: readonly DropSample[]): void;
  findDrops(siteId: string, hours: { readonly from: number; readonly to: number }): FoundDrops;
}

const SAMPLES_MAX = 20;
const KEPT_MS = 90 * 86_400_000;

/** Creates the store on a ledger connection. Its writes run in the caller's transaction. */
export function createDropStore(db: DatabaseSync): DropStore {
  const add = db.prepare(`
    INSERT INTO drops (site_id, reason, hour_at, count) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET count = count + excluded.count`);
  const addSample = db.prepare(
    'INSERT INTO drop_samples (site_id, reason, hour_at, type, host, path) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const cut = db.prepare(`
    DELETE FROM drop_samples WHERE site_id = ?1 AND reason = ?2 AND id <= (
      SELECT id FROM drop_samples WHERE site_id = ?1 AND reason = ?2
      ORDER BY id DESC LIMIT 1 OFFSET ${SAMPLES_MAX})`);
  const forget = db.prepare('DELETE FROM drops WHERE hour_at < ?');
  const forgetSamples = db.prepare('DELETE FROM drop_samples WHERE hour_at < ?');
  const counts = db.prepare(`
    SELECT site_id AS siteId, reason, hour_at AS hourAt, count FROM drops
    WHERE site_id = ? AND hour_at >= ? AND hour_at < ? ORDER BY hour_at, reason`);
  const samples = db.prepare(`
    SELECT site_id AS siteId, reason, hour_at AS hourAt, type, host, path FROM drop_samples
    WHERE site_id = ? AND hour_at >= ? AND hour_at < ? ORDER BY id DESC`);
  return {
    saveDrops(counted, sampled) {
      for (const { siteId, reason, hourAt, count } of counted) {
        add.run(siteId, reason, hourAt, count);
      }
      for (const { siteId, reason, hourAt, type, host, path } of sampled) {
        addSample.run(siteId, reason, hourAt, type, host, path);
        cut.run(siteId, reason);
      }
      const last = counted.at(-1);
      if (last === undefined) return;
      forget.run(last.hourAt - KEPT_MS);
      forgetSamples.run(last.hourAt - KEPT_MS);
    },
    findDrops: (siteId, { from, to }) => ({
      counts: counts.all(siteId, from, to) as unknown as DropCount[],
      samples: samples.all(siteId, from, to) as unknown as DropSample[],
    }),
  };
}
