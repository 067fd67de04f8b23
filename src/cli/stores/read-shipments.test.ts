import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { openArchive } from '#journal/archive/open-archive.ts';
import { listArchive, readArchiveFile } from '#journal/archive/read-archive.ts';
import { type Damage, readShipments } from './read-shipments.ts';

describe('reading the shipments of an archive', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tributary-archive-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** One run of the server, which ships these. */
  async function ship(tokens: readonly string[]): Promise<void> {
    const archive = openArchive({ folder });
    for (const token of tokens) {
      await archive.keep({ token, rows: 1, lines: Buffer.from(`${token}\n`) });
    }
    await archive.close();
  }

  async function read() {
    const damage: Damage = new Map();
    const shipments = await Array.fromAsync(readShipments(folder, () => () => {}, damage));
    const lines = shipments.map((shipment) => shipment.lines.toString().trim()).toSorted();
    return { lines, damage: [...damage] };
  }

  it('gives every shipment once, also when the archive holds it twice', async () => {
    await ship(['a', 'b', 'b']);
    await ship(['b', 'c']);
    assert.deepEqual(await read(), { lines: ['a', 'b', 'c'], damage: [] });
  });

  it('shows how many bytes were read, up to all of them', async () => {
    await ship(['a', 'b']);
    const shown: number[] = [];
    let whole = 0;
    const startProgress = (total: number) => {
      whole = total;
      return (passed: number) => shown.push(passed);
    };
    await Array.fromAsync(readShipments(folder, startProgress));
    assert.deepEqual(
      shown,
      shown.toSorted((a, b) => a - b),
    );
    assert.equal(shown.at(-1), whole);
  });

  /** Changes `b` in a file with `a`, `b`, `c` and what follows; returns the file and its size. */
  async function damageB(tokens: readonly string[], change: (frame: Buffer) => void) {
    await ship(tokens);
    const path = listArchive(folder)[0]?.path ?? '';
    const file = join(folder, path);
    const parts = await Array.fromAsync(readArchiveFile(file));
    const { from = 0, endsAt: to = 0 } = parts[1] ?? {};
    const bytes = readFileSync(file);
    change(bytes.subarray(from, to));
    writeFileSync(file, bytes);
    return [path, { places: 1, bytes: to - from }] as const;
  }

  const flipLine = (frame: Buffer) => {
    frame[frame.lastIndexOf('b\n')] = 'x'.charCodeAt(0);
  };
  const flipHeader = (frame: Buffer) => {
    frame[20] = (frame[20] ?? 0) ^ 1;
  };
  for (const [what, change] of [
    ['lines', flipLine],
    ['header', flipHeader],
  ] as const) {
    it(`leaves out a shipment whose ${what} are damaged, and no other`, async () => {
      const damaged = await damageB(['a', 'b', 'c'], change);
      assert.deepEqual(await read(), { lines: ['a', 'c'], damage: [damaged] });
    });
  }

  it('takes the second copy of a shipment whose first is damaged', async () => {
    const damaged = await damageB(['a', 'b', 'c', 'b'], flipLine);
    assert.deepEqual(await read(), { lines: ['a', 'b', 'c'], damage: [damaged] });
  });

  it('reports a file that the disk does not give, and reads the others', async () => {
    await ship(['a']);
    const path = '2020-01-01/unreadable.ndjson.zst';
    mkdirSync(join(folder, path), { recursive: true });
    const bytes = statSync(join(folder, path)).size;
    assert.deepEqual(await read(), { lines: ['a'], damage: [[path, { places: 1, bytes }]] });
  });
});
