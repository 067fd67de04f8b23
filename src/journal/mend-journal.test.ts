import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { readJournalCounts } from '#storage/queue-counts.ts';
import { type JournalFile, openJournalFile } from './journal-file.ts';

const WIDE = { sizeBytes: 1_000_000, rows: 1_000 };
const BATCHES = 12;
const WAL_HEADER_BYTES = 32;
const FRAME_BYTES = 4_096 + 24;

describe('a damaged journal file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-damage-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  let count = 0;

  /** The files of a journal as a kill leaves them: nothing of the log is copied back. */
  function killedJournal(): string {
    const live = join(folder, `live-${count}`, '1.db');
    const left = join(folder, `left-${count++}`);
    const journal = openJournalFile(live);
    for (let seq = 1; seq <= BATCHES; seq++) journal.append([{ seq, rows: 1, lines: lineOf(seq) }]);
    cpSync(join(live, '..'), left, { recursive: true });
    journal.close();
    return join(left, '1.db');
  }

  function open(path: string) {
    const told: string[] = [];
    const journal = openJournalFile(path, (trouble) => told.push(trouble));
    const shipment = journal.nextShipment(WIDE);
    const lines = shipment?.lines.toString() ?? '';
    const { lastSeq } = journal;
    const setAside = journal.setAsideBatches();
    journal.close();
    const damaged = readdirSync(join(path, '..')).includes('damaged');
    return { told, lines, lastSeq, setAside, damaged, mayBeThere: shipment?.mayBeThere };
  }

  it('is none when it was only killed', () => {
    const found = open(killedJournal());
    assert.deepEqual(found.told, []);
    assert.deepEqual(linesOf(found.lines), allBut());
    assert.equal(found.mayBeThere, false);
  });

  it('loses no more than one batch to a flipped byte in its log, and tells', () => {
    for (let frame = 0; frame < 2 * BATCHES; frame += 3) {
      const path = killedJournal();
      flip(`${path}-wal`, WAL_HEADER_BYTES + frame * FRAME_BYTES + 24 + 4_000);
      const found = open(path);
      assert.ok(BATCHES - linesOf(found.lines).length <= 1);
      assert.match(found.told.join(), /was damaged/);
      assert.ok(found.damaged);
    }
  });

  it('never numbers a batch as one that may be in the warehouse, and asks there for the others', () => {
    const path = killedJournal();
    flip(`${path}-wal`, WAL_HEADER_BYTES + 5 * FRAME_BYTES + 100);
    const found = open(path);
    assert.ok(found.lastSeq > 1_000_000_000 && found.lastSeq < 2 ** 40);
    assert.equal(found.mayBeThere, true);
  });

  it('counts once what was shipped before and came back', () => {
    const live = join(folder, 'live-shipped', '1.db');
    const path = join(folder, 'left-shipped', '1.db');
    openJournalWith(live, [1, 2, 3]).close(); // In the file; all else is in its log.
    const journal = openJournalFile(live);
    shipAll(journal, 1);
    for (const seq of [4, 5, 6]) journal.append([{ seq, rows: 1, lines: lineOf(seq) }]);
    cpSync(join(live, '..'), join(path, '..'), { recursive: true });
    journal.close();
    flip(`${path}-wal`, readFileSync(`${path}-wal`).lastIndexOf('{"seq":5') + 100);

    const mended = openJournalFile(path);
    assert.equal(mended.setAsideBatches(), 1);
    assert.equal(mended.findLostTotal(), undefined);
    assert.deepEqual(shipAll(mended, BATCHES), [1, 2, 3, 4, 6]);
    mended.close();
    assert.equal(readJournalCounts(path).shipped, 5);
  });

  function openJournalWith(path: string, seqs: readonly number[]): JournalFile {
    const journal = openJournalFile(path);
    for (const seq of seqs) journal.append([{ seq, rows: 1, lines: lineOf(seq) }]);
    return journal;
  }

  /** Ships so many batches, each alone; answers which. */
  function shipAll(journal: JournalFile, most: number): number[] {
    const seqs: number[] = [];
    for (let count = 0; count < most; count++) {
      const shipment = journal.nextShipment({ ...WIDE, rows: 1 });
      if (shipment === undefined) return seqs;
      seqs.push(...linesOf(shipment.lines.toString()).map((line) => JSON.parse(line).seq));
      journal.confirmShipment(shipment);
    }
    return seqs;
  }

  it('leaves no copy of it behind, though it was killed while it removed them', () => {
    const path = killedJournal();
    for (const end of ['file-copy', 'log-copy', 'log-copy-wal'])
      writeFileSync(`${path}.${end}`, '');
    openJournalFile(path).close();
    assert.deepEqual(readdirSync(join(path, '..')), ['1.db']);
  });

  it('tells of a log that was cut off', () => {
    const path = killedJournal();
    writeFileSync(`${path}-wal`, readFileSync(`${path}-wal`).subarray(0, 6 * FRAME_BYTES));
    assert.match(open(path).told.join(), /was damaged/);
  });

  it('is mended when its file ends in the middle of a page', () => {
    const path = killedJournal();
    openJournalFile(path).close(); // Copies the log back.
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.subarray(0, bytes.length - 1_000));
    const found = open(path);
    assert.match(found.told.join(), /damaged/);
    assert.ok(linesOf(found.lines).length >= BATCHES - 2);
  });

  it('gives way to a new one when nothing of it can be read', () => {
    const path = killedJournal();
    for (const end of ['-wal', '-shm']) rmSync(path + end);
    writeFileSync(path, Buffer.alloc(20_000, 7));
    const found = open(path);
    assert.match(found.told.join(), /0 sound batches/);
    assert.equal(found.lines, '');
    assert.ok(found.lastSeq > 1_000_000_000);
  });
});

function lineOf(seq: number): string {
  return `{"seq":${seq},"text":"${'x'.repeat(3_000)}"}\n`;
}

function allBut(...seqs: number[]): string[] {
  return Array.from({ length: BATCHES }, (_, index) => index + 1)
    .filter((seq) => !seqs.includes(seq))
    .map((seq) => lineOf(seq));
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => `${line}\n`);
}

function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ 0x20;
  writeFileSync(path, bytes);
}
