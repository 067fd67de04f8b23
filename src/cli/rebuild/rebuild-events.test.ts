import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { openArchive } from '#journal/open-archive.ts';
import { listArchive } from '#journal/read-archive.ts';
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
    assert.deepEqual(await run(warehouse), { events: 3, damagedShipments: 0 });
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

  it('tells of a damaged shipment and inserts the others', async () => {
    await ship(['a', 'b', 'c']);
    const path = join(archive(), listArchive(archive())[0]?.path ?? '');
    const bytes = readFileSync(path);
    const at = bytes.indexOf('b\n', bytes.indexOf('"b"'));
    bytes[at] = 'x'.charCodeAt(0);
    writeFileSync(path, bytes);
    const warehouse = emptyWarehouse();
    assert.deepEqual(await run(warehouse), { events: 2, damagedShipments: 1 });
    assert.deepEqual(warehouse.lines(), ['a', 'c']);
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
