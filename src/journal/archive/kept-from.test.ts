import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { KEEPS_NOTHING, keepNothing, readKeptFrom } from './kept-from.ts';
import { openArchive } from './open-archive.ts';

const NOON = Date.UTC(2026, 10, 21, 12);

describe('the day from which the archive is complete', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tributary-kept-from-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  async function keep(token: string, at: number): Promise<void> {
    const archive = openArchive({ folder, keepDays: 10, now: () => at });
    await archive.keep({ token, rows: 1, lines: Buffer.from('{}\n') });
    await archive.close();
  }

  it('is the day after archiving was switched on again', async () => {
    await keepNothing(folder);
    await keep('j-1', NOON);
    assert.equal(await readKeptFrom(folder), '2026-11-22');
    const notes = readdirSync(folder).filter((name) => name.startsWith('kept-from'));
    assert.deepEqual(notes, ['kept-from']);
  });

  it('is not treated as absent when it cannot be read', async () => {
    assert.equal(await readKeptFrom(folder), undefined);
    mkdirSync(join(folder, 'kept-from'));
    await assert.rejects(readKeptFrom(folder), /EISDIR/);
  });

  it('is refused when it is neither a day nor “nothing”', async () => {
    assert.equal(await readKeptFrom(folder), undefined);
    for (const text of ['', 'yesterday', '2026-1-1', '2026-13-01', "2026-01-01' OR 1"]) {
      writeFileSync(join(folder, 'kept-from'), `${text}\n`);
      await assert.rejects(readKeptFrom(folder), /kept-from contains ".*", but must contain a day/);
    }
    for (const text of ['2026-01-31', KEEPS_NOTHING]) {
      writeFileSync(join(folder, 'kept-from'), `${text}\n`);
      assert.equal(await readKeptFrom(folder), text);
    }
  });
});
