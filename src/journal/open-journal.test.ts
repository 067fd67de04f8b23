import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { EventRow } from '#contract/rows/event-row.ts';
import { UnavailableError } from '#domain/unavailable.ts';
import { openLedger } from '#ledger/open-ledger.ts';
import { readJournalCounts } from '#storage/queue-counts.ts';
import { type Journal, type JournalOptions, openJournal } from './open-journal.ts';

const GOAL: EventRow = {
  site_id: 'site_1',
  occurred_at: 1_500,
  accepted_at: 1_500,
  event_id: '0190163d-8694-739b-aea5-966c26f8ad90',
  type: 'goal',
  visitor_id: 'v',
};

/** Nobody listens there: nothing is ever shipped. */
const NOWHERE = { kind: 'remote', url: 'http://127.0.0.1:1' } as const;

describe('the journal while the warehouse is unavailable', () => {
  let folder: string;
  let ledgerPath: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tributary-journal-'));
    ledgerPath = join(folder, 'ledger.db');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  async function withJournal(
    backlogMaxBytes: number,
    work: (journal: Journal) => Promise<void>,
    more: Partial<Pick<JournalOptions, 'otherBacklogBytes' | 'monotonic'>> = {},
  ): Promise<void> {
    const journal = await openJournal({
      thread: new URL('../app/journal-thread.ts', import.meta.url),
      folder: join(folder, 'journal'),
      isKnown: false,
      warehouse: NOWHERE,
      ledger: ledgerPath,
      ratesPath: join(folder, 'rates.csv'),
      clockPath: join(folder, 'clock.json'),
      archive: undefined,
      backlogMaxBytes,
      ...more,
      onShipFailure() {},
      onTrouble() {},
      onDeath: assert.fail,
    });
    await work(journal).finally(() => journal.close());
  }

  const isFull = (error: unknown) =>
    error instanceof UnavailableError && error.retryAfterSeconds === 5;

  it('is full at its limit, also after a restart', async () => {
    await withJournal(150, async (journal) => {
      await journal.append([GOAL, GOAL]);
      await assert.rejects(journal.append([GOAL]), isFull);
      assert.throws(journal.assertRoom, isFull);
      assert.equal(readJournalCounts(join(folder, 'journal'))?.waiting, 2);
    });
    await withJournal(150, (journal) => assert.rejects(journal.append([GOAL]), isFull));
    await withJournal(800, (journal) => journal.append([GOAL]));
  });

  it('counts in-flight writes towards its limit', async () => {
    await withJournal(100, async (journal) => {
      const onTheWay = journal.append([GOAL, GOAL]);
      await assert.rejects(journal.append([GOAL]), isFull);
      await onTheWay;
      assert.equal(readJournalCounts(join(folder, 'journal'))?.waiting, 2);
    });
  });

  it('reports the age of its oldest event, and 0 without a backlog', async () => {
    let now = 60_000;
    const clock = { monotonic: () => now };
    await withJournal(
      10_000,
      async (journal) => {
        now += 11_000;
        assert.equal(journal.behindSeconds(), 0);
        await journal.append([GOAL]);
        assert.equal(journal.behindSeconds(), 0);
        now += 11_900;
        assert.equal(journal.behindSeconds(), 11);
        await journal.append([GOAL]);
        now += 100;
        assert.equal(journal.behindSeconds(), 12);
      },
      clock,
    );
  });

  it('counts the goals that wait in the ledger', async () => {
    const ledger = await openLedger({ location: ledgerPath });
    for (const key of ['k1', 'k2', 'k3']) {
      await ledger.acceptEvents([{ row: GOAL }], {
        key,
        bodyDigest: 'd',
        answer: 'a',
        subject: 'x',
      });
    }
    await ledger.close();
    const again = await openLedger({ location: ledgerPath });
    const append = (journal: Journal) => journal.append([GOAL]);
    const others = { otherBacklogBytes: again.outboxBytes };
    await withJournal(800, append, others);
    await withJournal(300, (journal) => assert.rejects(append(journal), isFull), others);
    await again.close();
  });
});
