import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { openArchive } from '#journal/open-archive.ts';
import { listArchive, readArchiveFile } from '#journal/read-archive.ts';
import { openProgress } from './open-progress.ts';
import { rebuildEvents } from './rebuild-events.ts';

/** Where a run is cut off: before an insert reaches the warehouse, or before its answer comes. */
type Cut = 'before' | 'after';

describe('rebuilding events', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tributary-rebuild-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const archive = () => join(folder, 'archive');

  /** One run of the server, which ships these. */
  async function ship(tokens: readonly string[]): Promise<void> {
    const opened = openArchive({ folder: archive() });
    for (const token of tokens) {
      await opened.keep({ token, rows: 1, lines: Buffer.from(`${token}\n`) });
    }
    await opened.close();
  }

  /** Knows tokens as the engine does; answers what it holds. */
  function emptyWarehouse() {
    const inserted = new Map<string, string>();
    const cuts: Cut[] = [];
    return {
      cuts,
      lines: () => [...inserted.values()].join('').trimEnd().split('\n').toSorted(),
      async insertLines(_table: string, lines: Buffer, token = '') {
        const cut = cuts.shift();
        if (cut === 'before') throw new Error('killed');
        const before = inserted.get(token);
        if (before !== undefined) assert.equal(lines.toString(), before, 'the very same again');
        inserted.set(token, lines.toString());
        if (cut === 'after') throw new Error('killed');
      },
    };
  }

  function run(warehouse: ReturnType<typeof emptyWarehouse>, underWay: readonly string[] = []) {
    const progress = openProgress(join(folder, 'progress.db'), 'w');
    return rebuildEvents({
      ...{ archive: archive(), warehouse, progress, underWay: new Set(underWay) },
      onBytes() {},
    }).finally(() => progress.close());
  }

  it('inserts every shipment once, also when the archive holds it twice', async () => {
    await ship(['a', 'b', 'b']);
    await ship(['b', 'c']);
    const warehouse = emptyWarehouse();
    assert.deepEqual(await run(warehouse), { events: 3, skipped: [] });
    assert.deepEqual(warehouse.lines(), ['a', 'b', 'c']);
  });

  it('leaves out what is under way, and takes it when it was shipped after all', async () => {
    await ship(['a', 'b']);
    const warehouse = emptyWarehouse();
    await run(warehouse, ['b']);
    assert.deepEqual(warehouse.lines(), ['a']);
    await ship(['b']);
    await run(warehouse);
    assert.deepEqual(warehouse.lines(), ['a', 'b']);
  });

  it('takes a killed parcel as it was, whatever was shipped and whatever is under way since', async () => {
    await ship(['a', 'b']);
    const warehouse = emptyWarehouse();
    warehouse.cuts.push('after');
    await assert.rejects(run(warehouse, ['b']), /killed/);
    await ship(['b', 'c']);
    await run(warehouse);
    assert.deepEqual(warehouse.lines(), ['a', 'b', 'c']);
  });

  /** A file with `a`, `b` and `c`, of which `damage` changes `b`; where `b` lies in it. */
  async function shipDamaged(damage: (frame: Buffer) => void) {
    await ship(['a', 'b', 'c']);
    const path = listArchive(archive())[0]?.path ?? '';
    const file = join(archive(), path);
    const parts = await Array.fromAsync(readArchiveFile(file, 0));
    const { from = 0, endsAt: to = 0 } = parts[1] ?? {};
    const bytes = readFileSync(file);
    damage(bytes.subarray(from, to));
    writeFileSync(file, bytes);
    return { path, from, to };
  }

  it('tells of a damaged shipment and inserts the others', async () => {
    const place = await shipDamaged((frame) => {
      frame[frame.lastIndexOf('b\n')] = 'x'.charCodeAt(0);
    });
    const warehouse = emptyWarehouse();
    const skipped = [{ ...place, isShipment: true }];
    assert.deepEqual(await run(warehouse), { events: 2, skipped });
    assert.deepEqual(warehouse.lines(), ['a', 'c']);
  });

  it('loses only the shipment whose header is damaged, and tells of it, once, after a kill too', async () => {
    const place = await shipDamaged((frame) => {
      frame[20] = (frame[20] ?? 0) ^ 1;
    });
    const warehouse = emptyWarehouse();
    warehouse.cuts.push('after');
    await assert.rejects(run(warehouse), /killed/);
    const skipped = [{ ...place, isShipment: false }];
    assert.deepEqual(await run(warehouse), { events: 2, skipped });
    assert.deepEqual(await run(warehouse), { events: 0, skipped });
    assert.deepEqual(warehouse.lines(), ['a', 'c']);
  });

  it('tells of a file that the disk does not give, and inserts the others', async () => {
    await ship(['a']);
    const path = '2020-01-01/unreadable.ndjson.zst';
    mkdirSync(join(archive(), path), { recursive: true });
    const to = statSync(join(archive(), path)).size;
    const warehouse = emptyWarehouse();
    const skipped = [{ path, from: 0, to, isShipment: false }];
    assert.deepEqual(await run(warehouse), { events: 1, skipped });
    assert.deepEqual(warehouse.lines(), ['a']);
  });

  /** One run that was killed at its first insert. */
  async function killAtInsert(warehouse: ReturnType<typeof emptyWarehouse>): Promise<void> {
    warehouse.cuts.push('after');
    await assert.rejects(run(warehouse), /killed/);
  }

  it('says by name what of a killed parcel cannot be read any more, and what to do', async () => {
    await ship(['a', 'b']);
    const warehouse = emptyWarehouse();
    await killAtInsert(warehouse);
    const { path = '', sizeBytes } = listArchive(archive())[0] ?? {};
    const file = join(archive(), path);
    const bytes = readFileSync(file);
    const places = `The archive’s ${path} cannot be read between the bytes 0 and ${sizeBytes}, where`;
    const told = (error: Error) =>
      error.message.startsWith(places) && /--fresh/.test(error.message);

    writeFileSync(file, bytes.with(bytes.length - 1, (bytes.at(-1) ?? 0) ^ 1));
    await assert.rejects(run(warehouse), told);
    rmSync(file);
    mkdirSync(file);
    await assert.rejects(run(warehouse), told);
    rmSync(file, { recursive: true });
    await assert.rejects(run(warehouse), /^Error: The archive lacks .*--fresh/);
    writeFileSync(file, bytes);
    assert.deepEqual(await run(warehouse), { events: 2, skipped: [] });
  });

  it('takes a killed parcel again whose first copy of a shipment was damaged', async () => {
    await ship(['a', 'b', 'c', 'b']);
    const file = join(archive(), listArchive(archive())[0]?.path ?? '');
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.with(bytes.indexOf('b\n'), 'x'.charCodeAt(0)));
    const warehouse = emptyWarehouse();
    await killAtInsert(warehouse);
    await run(warehouse);
    assert.deepEqual(warehouse.lines(), ['a', 'b', 'c']);
  });

  it('refuses to go on with the rebuild of another warehouse', async () => {
    openProgress(join(folder, 'progress.db'), 'one').close();
    assert.throws(() => openProgress(join(folder, 'progress.db'), 'other'), /--fresh/);
  });

  it('loses and doubles nothing, wherever it is killed and however often', async () => {
    const cuts = fc.array(fc.constantFrom<Cut | 'none'>('before', 'after', 'none'), {
      maxLength: 6,
    });
    const starts = fc.array(fc.array(fc.nat(8), { maxLength: 4 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(starts, cuts, async (runs, chosen) => {
        rmSync(folder, { recursive: true, force: true });
        const warehouse = emptyWarehouse();
        for (const [index, tokens] of runs.entries()) {
          await ship(tokens.map((token) => `t-${token}`));
          const cut = chosen[index];
          if (cut !== undefined && cut !== 'none') warehouse.cuts.push(cut);
          await run(warehouse).catch(() => {});
        }
        warehouse.cuts.length = 0;
        await run(warehouse);
        const all = new Set(runs.flat().map((token) => `t-${token}`));
        assert.deepEqual(warehouse.lines(), all.size === 0 ? [''] : [...all].toSorted());
      }),
      { numRuns: 40 },
    );
  });
});
