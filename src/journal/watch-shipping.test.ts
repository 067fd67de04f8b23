import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { UnavailableError } from '#domain/unavailable.ts';
import { createJournalFile, type JournalFile, removeJournalFile } from './journal-file.ts';
import { type ShippingWatch, watchShipping } from './watch-shipping.ts';

const createFile = (path: string) => createJournalFile(path, { onTrouble: assert.fail });

describe('watching the journals', () => {
  let folder: string;
  let journals: JournalFile[];
  let watch: ShippingWatch;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tributary-watch-'));
    journals = [1, 2].map((number) => createFile(join(folder, `${number}.db`)));
    watch = watchShipping({ journals: folder }, { waitMaxMs: 1_000 });
  });
  afterEach(() => {
    watch.close();
    for (const journal of journals) journal.close();
    rmSync(folder, { recursive: true });
  });

  function ship(journal: JournalFile | undefined): void {
    journal?.nextShipment()?.confirm();
  }

  it('waits for nothing when every journal is empty', async () => {
    await watch.shipped();
  });

  it('waits for what the other process accepted', async () => {
    journals[1]?.append([{ seq: 1, rows: 1, lines: '{}\n' }]);
    let isShipped = false;
    const waiting = watch.shipped().then(() => {
      isShipped = true;
    });
    await Promise.resolve();
    assert.equal(isShipped, false);
    ship(journals[1]);
    await waiting;
  });

  it('does not wait for what is accepted later', async () => {
    journals[0]?.append([{ seq: 1, rows: 1, lines: '{}\n' }]);
    const waiting = watch.shipped();
    ship(journals[0]);
    journals[0]?.append([{ seq: 2, rows: 1, lines: '{}\n' }]);
    await waiting;
  });

  it('waits for a journal that was made anew at its place, and for the old one no more', async () => {
    journals[1]?.append([{ seq: 1, rows: 1, lines: '{}\n' }]);
    await assert.rejects(watch.shipped(), UnavailableError);
    journals[1]?.close();
    const path = join(folder, '2.db');
    removeJournalFile(path);
    journals[1] = createFile(path);
    await watch.shipped();
    journals[1].append([{ seq: 2, rows: 1, lines: '{}\n' }]);
    await assert.rejects(watch.shipped(), UnavailableError);
  });

  it('waits for no file that is no journal, such as a copy', async () => {
    const copy = createFile(join(folder, '3-copy.db'));
    copy.append([{ seq: 1, rows: 1, lines: '{}\n' }]);
    copy.close();
    await watch.shipped();
  });

  it('is unavailable when nothing is shipped', async () => {
    journals[0]?.append([{ seq: 1, rows: 1, lines: '{}\n' }]);
    await assert.rejects(watch.shipped(), UnavailableError);
  });
});
