import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import { toLineOpening, toLineTail } from '#contract/rows/event-lines.ts';
import { BLOCK_BITS } from '#domain/identity/counted-batches.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import { toBatchId } from '#storage/shipment-token.ts';
import { forgetArchived } from './forget-archived.ts';
import { type Archive, openArchive } from './open-archive.ts';
import { listArchive } from './read-archive.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const DAY = '2026-11-21';

describe('an archive whose open file is removed', () => {
  let dataDir: string;
  let folder: string;
  let archive: Archive;
  let reported: string[];
  let at: number;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'tributary-lost-'));
    folder = join(dataDir, 'archive');
    reported = [];
    at = NOON;
    archive = openArchive({
      folder,
      now: () => at,
      onTrouble: (trouble) => reported.push(trouble),
    });
  });
  afterEach(async () => {
    await archive.close();
    rmSync(dataDir, { recursive: true });
  });

  const keep = (batch: number) =>
    archive.keep({
      token: `journal-1-${batch}-${batch}`,
      ...{ rows: 1, lines: Buffer.from(`["${batch}"]\n`) },
    });

  const pathOf = (batch: number) => join(folder, DAY, `journal-1-${batch}-${batch}.ndjson.zst`);

  /** What each file holds. */
  const readAll = () =>
    listArchive(folder).map(({ path }) =>
      zstdDecompressSync(readFileSync(join(folder, path))).toString(),
    );

  const lossOf = (batch: number) =>
    `${pathOf(batch)} was removed or replaced while it was in use. A new file has been started; verify reports what the archive lacks.`;

  it('keeps what comes after its day is removed, and reports it', async () => {
    await keep(1);
    rmSync(join(folder, DAY), { recursive: true });
    await keep(2);
    await keep(3);
    assert.deepEqual(readAll(), ['["2"]\n["3"]\n']);
    assert.deepEqual(reported, [lossOf(1)]);
  });

  it('begins a new file next to one that was replaced', async () => {
    await keep(1);
    copyFileSync(pathOf(1), join(dataDir, 'copy'));
    renameSync(join(dataDir, 'copy'), pathOf(1));
    await keep(2);
    assert.deepEqual(readAll(), ['["1"]\n', '["2"]\n']);
    assert.deepEqual(reported, [lossOf(1)]);
  });

  it('reports that all of it is missing', async () => {
    await keep(1);
    rmSync(folder, { recursive: true });
    await keep(2);
    assert.deepEqual(readAll(), ['["2"]\n']);
    assert.deepEqual(reported, [lossOf(1)]);
  });

  it('does not report a file that an erasure removes', async () => {
    const batchId = toBatchId(1, 1);
    const tail = toLineTail({
      ...{ site_id: 'site_of_a_shop', visitor_id: 'anna', type: 'pageview' },
      event_id: '019aa000-0000-7000-8000-000000000000',
      ...{ occurred_at: NOON, accepted_at: NOON },
    });
    const lines = Buffer.from(toLineOpening(batchId) + tail);
    await archive.keep({ token: 'journal-1-1-1', rows: 1, lines });
    archive.leaveFile();
    const erased = {
      counted: [
        { journal: 1, lastBatch: Number(batchId), blocks: [Number(batchId >> BLOCK_BITS)] },
      ],
      texts: ['anna'],
      isForgotten: () => true,
    };
    assert.equal(await forgetArchived(folder, erased, () => assert.fail()), 1);
    assert.deepEqual(readAll(), []);
    await keep(2);
    assert.deepEqual(readAll(), ['["2"]\n']);
    assert.deepEqual(reported, []);
  });

  it('does not report an old day that was removed', async () => {
    await keep(1);
    rmSync(join(folder, DAY), { recursive: true });
    at = NOON + DAY_MS;
    await keep(2);
    assert.deepEqual(readAll(), ['["2"]\n']);
    assert.deepEqual(reported, []);
  });
});
