import type { SiteSettings } from '#domain/site/site-settings.ts';
import { keptSince, parseRetention, type RetentionPeriod } from '#domain/time/parse-retention.ts';
import type { TrustedNow } from '#storage/keep-clock.ts';
import type { Database } from '#storage/sql/sql.ts';

/** How long raw events are kept, unless their site says otherwise. */
const USUALLY: RetentionPeriod = { count: 90, unit: 'days' };

/** So few that nobody waits for it. */
const DELETED_MAX = 1_000;

/** Creates what deletes raw events that are older than their site keeps them. What they stated stays. */
export function createPurge(db: Database, trustedNow: TrustedNow) {
  const purge = (connectionId: string, before: number): Promise<number> =>
    db.run(
      `DELETE FROM provider_events WHERE id IN (SELECT id FROM provider_events
         WHERE connection_id = ? AND received_at < ? AND state != 'new'
         ORDER BY received_at LIMIT ${DELETED_MAX})`,
      ...[connectionId, before],
    );

  return {
    /** Deletes some old events of each connection, removed ones too. Returns whether there may be more. */
    async purgeProviderEvents(): Promise<boolean> {
      const at = trustedNow();
      if (at === undefined) return false;
      const rows = await db.all(
        `SELECT connections.id, timezone, sites.settings FROM connections
         JOIN sites ON sites.id = site_id`,
      );
      let isMore = false;
      for (const { id, timezone, settings } of rows) {
        const { providerEvents = '' }: SiteSettings = JSON.parse(String(settings));
        const kept = parseRetention(providerEvents) ?? USUALLY;
        const deleted = await purge(String(id), keptSince(kept, at, String(timezone)));
        isMore ||= deleted === DELETED_MAX;
      }
      return isMore;
    },
  };
}
