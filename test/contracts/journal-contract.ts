import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { EventRow } from '#contract/rows/event-row.ts';
import { UnavailableError } from '#domain/unavailable.ts';
import type { EventJournal } from '#ingest/ports.ts';

/** A journal of one implementation, empty when first opened, whose warehouse is down. */
export type OpenedJournal = {
  readonly journal: EventJournal;
  /** The journal as found by the next start of the program. */
  reopen(): Promise<EventJournal>;
  /** The ids of events waiting to be shipped, read from disk and not the journal's memory. */
  readWaiting(): string[];
  /** Makes the disk refuse the next batch, and only that one. */
  refuseNext(): void;
  close(): Promise<void>;
};

const rowOf = (id: string): EventRow => ({
  ...{ site_id: 'site_1', occurred_at: 1_500, accepted_at: 1_500, event_id: id },
  ...{ type: 'pageview', visitor_id: 'v' },
});
const rowsOf = (...ids: string[]) => ids.map(rowOf);

/** What ingest requires of every journal. */
export function describeJournal(name: string, open: () => Promise<OpenedJournal>): void {
  describe(`events in ${name}`, () => {
    let own: OpenedJournal;
    beforeEach(async () => {
      own = await open();
    });
    afterEach(() => own.close());

    it('are on disk when they are acknowledged, in the order of their requests', async () => {
      await own.journal.append(rowsOf('a', 'b'));
      assert.deepEqual(own.readWaiting(), ['a', 'b']);
      await own.journal.append(rowsOf('c'));
      assert.deepEqual(own.readWaiting(), ['a', 'b', 'c']);
    });

    it('are there once each when many requests come at once', async () => {
      const ids = Array.from({ length: 200 }, (_, index) => `e-${index}`);
      await Promise.all(ids.map((id) => own.journal.append(rowsOf(id))));
      assert.deepEqual(own.readWaiting(), ids);
    });

    it('are there after a restart, in front of what comes then', async () => {
      await own.journal.append(rowsOf('a'));
      const again = await own.reopen();
      await again.append(rowsOf('b'));
      assert.deepEqual(own.readWaiting(), ['a', 'b']);
    });

    it('that the disk refuses are not there, and the next are taken', async () => {
      await own.journal.append(rowsOf('a'));
      own.refuseNext();
      await assert.rejects(own.journal.append(rowsOf('b')), UnavailableError);
      await own.journal.append(rowsOf('c'));
      const again = await own.reopen();
      await again.append(rowsOf('d'));
      assert.deepEqual(own.readWaiting(), ['a', 'c', 'd']);
    });

    it('of an empty request need no disk', async () => {
      own.refuseNext();
      await own.journal.append([]);
      assert.deepEqual(own.readWaiting(), []);
    });
  });
}
