import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { openJournalFiles } from './journal-files.ts';
import { holdsAny, scrubJournals } from './scrub-journals.ts';

const GIGABYTE = 1024 ** 3;

/** Memory, if there is a folder of it: on a disk, the kernel makes each page of a hole that is read. */
const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

describe('a person’s data in journals', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(MEMORY, 'tributary-scrub-'));
    mkdirSync(join(folder, 'damaged'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is found across chunk boundaries', async () => {
    const path = join(folder, 'file');
    for (let at = 0; at <= 20; at++) {
      writeFileSync(path, `${'.'.repeat(at)}ada-1${'.'.repeat(20 - at)}`);
      assert.equal(await holdsAny(path, ['eve-22', 'ada-1'], 8), true, `at ${at}`);
      assert.equal(await holdsAny(path, ['eve-22', 'ada-2'], 8), false, `at ${at}`);
    }
  });

  it('is deleted with damaged files of any size, and other files stay', async () => {
    openJournalFiles(folder).close();
    writeFileSync(join(folder, 'notes.db'), 'of somebody else');
    const [hers, other] = ['a.db', 'b.db'].map((name) => join(folder, 'damaged', name));
    for (const [path, text] of [
      [hers, 'ada-1'],
      [other, 'eve-22'],
    ] as const) {
      writeFileSync(path as string, text);
      truncateSync(path as string, 2 * GIGABYTE + 1); // A hole: it takes no room.
    }
    await scrubJournals(folder, ['ada-1']);
    assert.equal(existsSync(hers as string), false);
    assert.equal(existsSync(other as string), true);
  });
});
