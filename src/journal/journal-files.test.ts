import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readJournalCounts } from '#storage/queue-counts.ts';
import { type JournalFiles, openJournalFiles } from './journal-files.ts';

const NUMBERED_SINCE = Date.UTC(2025);

let folder: string;
let troubles: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tributary-journal-'));
  troubles = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (isKnown = false) =>
  openJournalFiles(folder, { isKnown, onTrouble: (trouble) => troubles.push(trouble) });

/** Appends one batch a line, each in a commit of its own; answers the number of the first. */
function append(
  journal: JournalFiles,
  lines: readonly string[],
  from = journal.lastSeq + 1,
): number {
  for (const [index, line] of lines.entries()) {
    journal.append([{ seq: from + index, rows: 1, lines: `${line}\n` }]);
  }
  return from;
}

function shipAll(journal: JournalFiles, lines: string[] = []): string[] {
  const shipment = journal.nextShipment();
  if (shipment === undefined) return lines;
  lines.push(...shipment.lines.toString().split('\n').filter(Boolean));
  shipment.confirm();
  return shipAll(journal, lines);
}

const databases = () => readdirSync(folder).filter((name) => name.endsWith('.db'));

describe('the journal across restarts', () => {
  it('ships older files first, and then removes them', () => {
    const first = open();
    append(first, ['one', 'two']);
    first.close();
    const second = open();
    append(second, ['three']);
    assert.equal(databases().length, 2);
    assert.deepEqual(shipAll(second), ['one', 'two', 'three']);
    assert.equal(databases().length, 1);
    second.close();
    assert.deepEqual(troubles, []);
    assert.equal(readJournalCounts(folder)?.shipped, 3);
  });

  it('numbers batches above all earlier ones, and by the clock after every file was lost, which is reported', () => {
    const first = open();
    const used = append(first, ['one']);
    first.close();
    rmSync(folder, { recursive: true });
    while (Date.now() - NUMBERED_SINCE <= used); // A restart takes longer.
    const second = open(true);
    assert.ok(second.lastSeq >= used);
    second.close();
    assert.match(troubles.join(), /The journal is missing .*had not been shipped are lost/);
    assert.equal(readJournalCounts(folder)?.shipped, undefined);
  });

  it('counts refused batches, and retries them at the next start', () => {
    const first = open();
    append(first, ['one', 'poison', 'three']);
    const shipped: string[] = [];
    for (let s = first.nextShipment(); s !== undefined; s = first.nextShipment()) {
      if (s.lines.includes('poison')) s.refuse?.(new Error('no'));
      else {
        shipped.push(s.lines.toString());
        s.confirm();
      }
    }
    assert.equal(shipped.join(''), 'one\nthree\n');
    assert.equal(first.setAsideBatches(), 1);
    first.close();
    assert.match(troubles.join(), /cannot be read by the warehouse/);
    const second = open();
    const again = second.nextShipment();
    assert.deepEqual([again?.lines.toString(), again?.isInDoubt], ['poison\n', true]);
    second.close();
    open().close();
    assert.equal(troubles.length, 1);
  });
});

describe('a journal file that is lost while it is in use', () => {
  it('is replaced by a new one, and still shipped', async () => {
    const journal = open();
    const from = append(journal, ['one']);
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    await sleep(600);
    append(journal, ['two'], from + 1);
    assert.match(troubles.join(), /was removed or replaced while it was in use/);
    assert.equal(readJournalCounts(folder)?.shipped, undefined);
    assert.deepEqual(shipAll(journal), ['one', 'two']);
    assert.equal(readJournalCounts(folder)?.shipped, 2);
    journal.close();
  });
});

describe('a damaged journal file', () => {
  /** Leaves a file of ten batches behind, three of them shipped and three in a shipment under way. */
  function leave(): { path: string; from: number } {
    const journal = openJournalFiles(folder, { limits: { sizeBytes: 100_000, rows: 3 } });
    const texts = Array.from({ length: 10 }, (_, index) => `${index} ${'x'.repeat(5_000)}`);
    const from = append(journal, texts);
    journal.nextShipment()?.confirm();
    journal.nextShipment();
    journal.close();
    return { path: join(folder, databases()[0] ?? ''), from };
  }

  const heads = (lines: readonly string[]) => lines.map((line) => line.slice(0, 1)).join('');

  it('is set aside, and its readable batches are shipped in doubt', () => {
    const { path, from } = leave();
    const bytes = readFileSync(path);
    const at = bytes.lastIndexOf('7 xxxx');
    bytes.fill(0, at - (at % 4_096), at - (at % 4_096) + 4_096);
    writeFileSync(path, bytes);
    const journal = open();
    assert.equal(journal.nextShipment()?.isInDoubt, true);
    assert.equal(heads(shipAll(journal)), '3456');
    journal.close();
    assert.match(troubles.join(), new RegExp(`Lost: batches ${from + 7}-${from + 9}\\.`));
    assert.equal(readdirSync(join(folder, 'damaged')).length, 2);
  });

  it('reports the batches that its log lost, and never ships a batch twice', () => {
    const journal = openJournalFiles(folder, { limits: { sizeBytes: 100_000, rows: 2 } });
    const from = append(journal, ['a', 'b', 'c']);
    journal.nextShipment()?.confirm();
    append(journal, ['d', 'e'], from + 3);
    const name = databases()[0] ?? '';
    const files = ['', '-wal', '-mark'].map((end) => readFileSync(join(folder, name + end)));
    journal.close();
    for (const each of readdirSync(folder)) rmSync(join(folder, each));
    const [db = Buffer.alloc(0), wal = Buffer.alloc(0), mark = Buffer.alloc(0)] = files;
    writeFileSync(join(folder, name), db);
    writeFileSync(join(folder, `${name}-mark`), mark);
    writeFileSync(join(folder, `${name}-wal`), wal.subarray(0, wal.length - 9_000));
    const again = open();
    const out = shipAll(again);
    again.close();
    assert.match(troubles.join(), new RegExp(`Lost: batches .*${from + 4}`));
    assert.ok(!out.includes('a') && !out.includes('b'), out.join());
  });

  it('is detected by a batch with a wrong number', () => {
    const { path, from } = leave();
    const db = new DatabaseSync(path);
    db.exec(`UPDATE batches SET seq = ${from + 50} WHERE seq = ${from + 9}`);
    db.close();
    const journal = open();
    assert.equal(heads(shipAll(journal)), '345678');
    journal.close();
    assert.match(troubles.join(), new RegExp(`Lost: batches ${from + 9}\\b`));
  });
});
