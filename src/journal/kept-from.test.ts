import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import {
  KEEPS_NOTHING,
  keepNothing,
  raiseKeptFrom,
  readKeptFrom,
  readSoundKeptFrom,
} from './kept-from.ts';
import { openArchive } from './open-archive.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const DAY_MS = 86_400_000;

describe('the archive’s note from which day on it keeps everything', () => {
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

  it('is made no earlier by processes that begin to archive again side by side', async () => {
    for (let round = 0; round < 60; round++) {
      await keepNothing(folder);
      const at = NOON + round * DAY_MS;
      await Promise.all(['j-1', 'j-2', 'j-3', 'j-4'].map((token) => keep(token, at)));
      const day = new Date(at + DAY_MS).toISOString().slice(0, 10);
      assert.equal(await readKeptFrom(folder), day, `round ${round}`);
    }
    const notes = readdirSync(folder).filter((name) => name.startsWith('kept-from'));
    assert.deepEqual(notes, ['kept-from']);
  });

  it('goes on saying that nothing is kept when days are let go', async () => {
    await keepNothing(folder);
    await raiseKeptFrom(folder, '2026-11-11');
    assert.equal(await readKeptFrom(folder), KEEPS_NOTHING);
  });

  it('is not taken for absent when it cannot be read', async () => {
    assert.equal(await readKeptFrom(folder), undefined);
    mkdirSync(join(folder, 'kept-from'));
    await assert.rejects(readKeptFrom(folder), /EISDIR/);
  });

  it('is refused by name when it is neither a day nor “nothing”', async () => {
    assert.equal(await readSoundKeptFrom(folder), undefined);
    for (const text of ['', 'yesterday', '2026-1-1', '2026-13-01', "2026-01-01' OR 1"]) {
      writeFileSync(join(folder, 'kept-from'), `${text}\n`);
      await assert.rejects(readSoundKeptFrom(folder), /kept-from holds ".*"; allowed is a day/);
    }
    for (const text of ['2026-01-31', KEEPS_NOTHING]) {
      writeFileSync(join(folder, 'kept-from'), `${text}\n`);
      assert.equal(await readSoundKeptFrom(folder), text);
    }
  });
});
