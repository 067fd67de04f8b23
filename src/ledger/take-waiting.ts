import type { InboxEvent, NotedState } from '#domain/money/provider-event.ts';
import type { HistoryPage } from '#domain/money/walk.ts';
import type { Database, Sql } from '#storage/sql/sql.ts';
import { beginProvided } from './commit/provide-payments.ts';
import { saveEntries } from './connections/entry-store.ts';
import {
  findEachFirst,
  findFirst,
  findIds,
  findOthersWith,
  findTogether,
  saveFacts,
} from './connections/fact-store.ts';
import { findWaiting, noteStates } from './connections/inbox.ts';
import { findElsewhere, findOwnIds, findStated, saveStated } from './connections/provided-store.ts';
import { findErasedVisitors } from './erasure/erased-visitors.ts';

/** Creates the function that runs work on the oldest events that wait, in one transaction. */
export function createTakeWaiting(db: Database, now: () => number) {
  return (limit: number, work: (waiting: Waiting) => Promise<void>): Promise<number> =>
    db.transaction(async (sql) => {
      // One process at a time: another one's facts would be missed.
      await sql.run("UPDATE counters SET value = value WHERE name = 'provider_events'");
      const events = await findWaiting(sql, limit);
      if (events.length > 0) await work(await toWaiting(sql, events, now()));
      return events.length;
    });
}

type Waiting = Awaited<ReturnType<typeof toWaiting>>;

async function toWaiting(sql: Sql, events: readonly InboxEvent[], at: number) {
  const [{ connectionId: id } = { connectionId: '' }] = events;
  const row = await sql.get('SELECT * FROM connections WHERE id = ?', id);
  const [siteId, provider] = [String(row?.site_id), String(row?.provider)];
  const settings: Readonly<Record<string, string>> = JSON.parse(String(row?.settings ?? '{}'));
  /** Work of the connection or its site. */
  const of =
    <Of, Asked extends unknown[], T>(
      whose: Of,
      work: (inside: Sql, whose: Of, ...asked: Asked) => T,
    ) =>
    (...asked: Asked) =>
      work(sql, whose, ...asked);
  return {
    connection: { id, siteId, provider, settings },
    events,
    findErasedVisitors: of(siteId, findErasedVisitors),
    findIds: of(id, findIds),
    saveFacts: of(id, saveFacts),
    findTogether: of(id, findTogether),
    findFirst: of(id, findFirst),
    findEachFirst: of(id, findEachFirst),
    findStated: of(siteId, findStated),
    findOwnIds: of(siteId, findOwnIds),
    findElsewhere: of({ siteId, id }, findElsewhere),
    findOthersWith: of({ siteId, id }, findOthersWith),
    tell: (connectionId: string, entries: HistoryPage['entries']) =>
      saveEntries(sql, connectionId, { entries, fault: undefined }, { at, isPolled: false }),
    saveStated: of({ siteId, id }, saveStated),
    beginProvided: (ids: readonly string[]) => beginProvided(sql, siteId, ids, at),
    async noteStates(noted: readonly NotedState[]): Promise<void> {
      await noteStates(sql, id, noted);
      const failed = noted.findLast(({ state }) => state === 'failed');
      if (failed === undefined) return;
      const note = 'UPDATE connections SET last_error = ?, last_error_at = ? WHERE id = ?';
      await sql.run(note, `Event ${failed.eventId}: ${failed.error}`, at, id);
    },
  };
}
