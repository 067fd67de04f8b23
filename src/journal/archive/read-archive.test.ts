import assert from 'node:assert/strict';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { toArchiveFrame } from './archive-frame.ts';
import { listArchive, readArchiveFile } from './read-archive.ts';

describe('reading the archive', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tributary-read-archive-'));
    mkdirSync(join(folder, '2026-11-21'));
    path = join(folder, '2026-11-21', 'a.ndjson.zst');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const toFrame = (token: string) => toArchiveFrame({ token, rows: 1, lines: Buffer.from('{}\n') });

  it('treats a partial write at opening as torn, however much is written meanwhile', async () => {
    const [a, b, c] = await Promise.all(['a', 'b', 'c'].map(toFrame));
    assert.ok(a && b && c);
    for (let half = 1; half < b.length; half++) {
      writeFileSync(path, Buffer.concat([a, b.subarray(0, half)]));
      const kinds: string[] = [];
      for await (const { kind, endsAt } of readArchiveFile(path)) {
        if (kinds.length === 0) appendFileSync(path, Buffer.concat([b.subarray(half), c]));
        else assert.equal(endsAt, a.length + half);
        kinds.push(kind);
      }
      assert.deepEqual(kinds, ['shipment', 'torn'], `${half} bytes`);
    }
  });

  it('lists no file that is removed meanwhile', async () => {
    writeFileSync(path, await toFrame('a'));
    symlinkSync('gone', join(folder, '2026-11-21', 'b.ndjson.zst'));
    assert.deepEqual(
      listArchive(folder).map((file) => file.path),
      ['2026-11-21/a.ndjson.zst'],
    );
  });

  it('treats unreadable bytes as damaged, unless the file is missing', async () => {
    mkdirSync(path);
    const [part, ...others] = await Array.fromAsync(readArchiveFile(path));
    assert.deepEqual([part?.kind, part?.from, others], ['damaged', 0, []]);
    rmSync(path, { recursive: true });
    await assert.rejects(Array.fromAsync(readArchiveFile(path)), /ENOENT/);
  });
});
