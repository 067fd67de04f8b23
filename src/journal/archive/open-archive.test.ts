import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import { DAY_MS } from '#domain/time/durations.ts';
import type { ArchiveEntry, ArchivePart } from './archive-frame.ts';
import { KEEPS_NOTHING, readKeptFrom } from './kept-from.ts';
import { chooseArchive, openArchive } from './open-archive.ts';
import { listArchive, readArchiveFile } from './read-archive.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

const tokenOf = (part?: ArchivePart) => (part?.kind === 'shipment' ? part.token : undefined);

describe('the archive', () => {
  let folder: string;
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'tributary-archive-')), 'archive');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const shipment = (token: string) => ({
    token,
    rows: 1,
    lines: Buffer.from(`{"of":"${token}"}\n`),
  });

  /** One run of the server, which keeps these. */
  async function keep(tokens: readonly string[], at = NOON, keepDays?: number): Promise<void> {
    const archive = openArchive({ folder, keepDays, now: () => at });
    for (const token of tokens) await archive.keep(shipment(token));
    await archive.close();
  }

  async function read(path: string): Promise<ArchiveEntry[]> {
    return Array.fromAsync(entriesOf(join(folder, path)));
  }

  async function* entriesOf(path: string): AsyncGenerator<ArchiveEntry> {
    for await (const part of readArchiveFile(path)) if (part.kind === 'shipment') yield part;
  }

  /** What the one file is made of; every byte of it belongs to one part. */
  async function partsOf(path: string): Promise<ArchivePart[]> {
    const parts = await Array.fromAsync(readArchiveFile(path));
    const ends = [0, ...parts.map(({ endsAt }) => endsAt)];
    assert.deepEqual(
      [...parts.map(({ from }) => from), readFileSync(path).length],
      ends,
      'part after part',
    );
    return parts;
  }

  async function readTokens(): Promise<string[]> {
    const entries = await Promise.all(listArchive(folder).map(({ path }) => read(path)));
    return entries.flat().map(({ token }) => token);
  }

  const onlyPath = () => join(folder, listArchive(folder)[0]?.path ?? '');

  it('returns each shipment with its lines', async () => {
    const archive = openArchive({ folder, now: () => NOON });
    await archive.keep({ token: 'journal-1-1-2', rows: 2, lines: Buffer.from('{"é":1}\n{}\n') });
    await archive.close();
    const path = '2026-11-21/journal-1-1-2.ndjson.zst';
    assert.deepEqual(
      listArchive(folder).map((file) => file.path),
      [path],
    );
    for await (const entry of entriesOf(join(folder, path))) {
      assert.equal(entry.token, 'journal-1-1-2');
      assert.equal(entry.rows, 2);
      assert.equal((await entry.readLines()).toString(), '{"é":1}\n{}\n');
    }
  });

  it('begins a new file once one is large', async () => {
    const archive = openArchive({ folder, now: () => NOON });
    await archive.keep({ token: 'a', rows: 1, lines: randomBytes(65 * 1024 * 1024) });
    for (const token of ['b', 'c']) await archive.keep(shipment(token));
    await archive.close();
    assert.equal(listArchive(folder).length, 2);
    assert.deepEqual(await readTokens(), ['a', 'b', 'c']);
  });

  it('is plain zstd, which any tool decompresses to the lines', async () => {
    await keep(['a', 'b']);
    const lines = '{"of":"a"}\n{"of":"b"}\n';
    assert.equal(zstdDecompressSync(readFileSync(onlyPath())).toString(), lines);
  });

  it('begins a new file with each day and each start, and overwrites none', async () => {
    await keep(['a', 'b']);
    await keep(['b']);
    await keep(['b', 'c']);
    await keep(['d'], NOON + DAY_MS);
    assert.deepEqual(
      listArchive(folder).map(({ path }) => path),
      [
        ...['2026-11-21/a.ndjson.zst', '2026-11-21/b.2.ndjson.zst', '2026-11-21/b.ndjson.zst'],
        '2026-11-22/d.ndjson.zst',
      ],
    );
    assert.deepEqual((await readTokens()).toSorted(), ['a', 'b', 'b', 'b', 'c', 'd']);
  });

  it('removes days past their retention', async () => {
    await keep(['a']);
    await keep(['b'], NOON + DAY_MS);
    await keep(['c'], NOON + 3 * DAY_MS, 2);
    assert.deepEqual(readdirSync(folder).toSorted(), ['2026-11-22', '2026-11-24', 'kept-from']);
  });

  it('is read up to a torn end, wherever power was cut', async () => {
    await keep(['a']);
    const wholeBytes = readFileSync(onlyPath()).length;
    const whole = readFileSync(onlyPath());
    for (let kept = 0; kept < wholeBytes; kept++) {
      appendFileSync(onlyPath(), whole.subarray(0, kept));
      const kinds = (await partsOf(onlyPath())).map(({ kind }) => kind);
      const expected = kept === 0 ? ['shipment'] : ['shipment', 'torn'];
      assert.deepEqual(kinds, expected, `${kept} bytes of a second frame`);
      truncateSync(onlyPath(), wholeBytes);
    }
  });

  it('returns no line of a damaged shipment', async () => {
    await keep(['a']);
    const sound = readFileSync(onlyPath());
    for (let index = 0; index < sound.length; index++) {
      const damaged = Buffer.from(sound);
      damaged[index] = (damaged[index] ?? 0) ^ 0x10;
      writeFileSync(onlyPath(), damaged);
      for await (const entry of entriesOf(onlyPath())) {
        await entry.readLines().then(
          (lines) => assert.equal(lines.toString(), '{"of":"a"}\n', `byte ${index}`),
          () => {},
        );
      }
    }
  });

  it('is readable after a header with any flipped bit', async () => {
    await keep(['a', 'b', 'c']);
    const [, b] = await partsOf(onlyPath());
    const sound = readFileSync(onlyPath());
    const linesAt = sound.indexOf(ZSTD_MAGIC, b?.from);
    for (let index = b?.from ?? 0; index < linesAt; index++) {
      const damaged = Buffer.from(sound);
      damaged[index] = (damaged[index] ?? 0) ^ 0x10;
      writeFileSync(onlyPath(), damaged);
      const [first, gap, last] = await partsOf(onlyPath());
      assert.deepEqual(gap, { kind: 'damaged', from: b?.from, endsAt: b?.endsAt }, `byte ${index}`);
      assert.deepEqual([first, last].map(tokenOf), ['a', 'c'], `byte ${index}`);
    }
  });

  it('is readable after lost or overwritten bytes, however many', async () => {
    await keep(['a', 'b', 'c', 'd']);
    const [a, , c] = await partsOf(onlyPath());
    const sound = readFileSync(onlyPath());
    for (const length of [0, 1, 65_524, 65_530, 65_536, 200_000]) {
      const parts = [sound.subarray(0, a?.endsAt), Buffer.alloc(length, 'P')];
      writeFileSync(onlyPath(), Buffer.concat([...parts, sound.subarray(c?.from)]));
      const tokens = (await partsOf(onlyPath())).filter(({ kind }) => kind === 'shipment');
      assert.deepEqual(tokens.map(tokenOf), ['a', 'c', 'd'], `${length} bytes`);
    }
  });

  it('is readable after a shipment that lost bytes in the middle or at the end', async () => {
    await keep(['a', 'b', 'c', 'd']);
    const [, b, c] = await partsOf(onlyPath());
    const [from, to] = [b?.endsAt ?? 0, c?.endsAt ?? 0];
    const sound = readFileSync(onlyPath());
    for (let lost = 1; lost < to - from; lost++) {
      const left = Buffer.concat([sound.subarray(0, to - lost), sound.subarray(to)]);
      writeFileSync(onlyPath(), left);
      const [first, second, gap, last] = await partsOf(onlyPath());
      assert.deepEqual([first, second, last].map(tokenOf), ['a', 'b', 'd'], `${lost} bytes`);
      assert.deepEqual(gap, { kind: 'damaged', from, endsAt: to - lost });
    }
  });

  it('distinguishes a damaged end from a torn one', async () => {
    await keep(['a', 'b']);
    const [, b] = await partsOf(onlyPath());
    const damaged = readFileSync(onlyPath());
    damaged[(b?.from ?? 0) + 20] = 0;
    writeFileSync(onlyPath(), damaged);
    assert.deepEqual((await partsOf(onlyPath())).at(-1), {
      ...{ kind: 'damaged', from: b?.from, endsAt: b?.endsAt },
    });
  });

  it('throws when a write fails, and accepts the shipment later', async () => {
    const archive = openArchive({ folder, now: () => NOON });
    writeFileSync(folder, 'in the way');
    await assert.rejects(archive.keep(shipment('a')));
    rmSync(folder);
    await archive.keep(shipment('a'));
    await archive.close();
    assert.deepEqual(await readTokens(), ['a']);
  });

  it('records the day from which it is complete, and never moves it back', async () => {
    await keep(['j-1']);
    assert.equal(await readKeptFrom(folder), undefined);
    await keep(['j-2'], NOON, 10);
    assert.equal(await readKeptFrom(folder), '2026-11-11');
    await keep(['j-3'], NOON, 20);
    await keep(['j-4']);
    assert.equal(await readKeptFrom(folder), '2026-11-11');
    await keep(['j-5'], NOON, 5);
    assert.equal(await readKeptFrom(folder), '2026-11-16');
  });

  it('is complete from the day after it was switched on again', async () => {
    assert.equal(await chooseArchive(folder, 0), undefined);
    assert.equal(await readKeptFrom(folder), KEEPS_NOTHING);
    const chosen = await chooseArchive(folder, undefined);
    assert.deepEqual(chosen, { folder, keepDays: undefined });
    assert.equal(await readKeptFrom(folder), KEEPS_NOTHING, 'nothing is in it yet');
    await keep(['j-1']);
    assert.equal(await readKeptFrom(folder), '2026-11-22');
  });
});
