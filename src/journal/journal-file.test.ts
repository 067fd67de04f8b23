import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, it } from 'node:test';
import { type JournalFile, openJournalFile } from './journal-file.ts';

const NUMBERED_SINCE = Date.UTC(2025);
const WIDE = { sizeBytes: 1_000_000, rows: 1_000 };

describe('the journal file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-journal-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  let count = 0;
  const freshPath = () => join(folder, `${count++}.db`);

  it('gives back what was appended, oldest first, as one shipment', () => {
    const journal = openJournalFile(freshPath());
    journal.append([{ seq: 1, rows: 1, lines: '{"a":1}\n' }]);
    journal.append([{ seq: 2, rows: 2, lines: '{"a":2}\n{"a":3}\n' }]);
    const shipment = journal.nextShipment(WIDE);
    assert.equal(shipment?.lines.toString(), '{"a":1}\n{"a":2}\n{"a":3}\n');
    assert.equal(shipment?.rows, 3);
    journal.close();
  });

  it('takes batches together, or none of them', () => {
    const journal = openJournalFile(freshPath());
    const batch = (seq: number) => ({ seq, rows: 1, lines: `batch ${seq}\n` });
    journal.append([batch(1), batch(2)]);
    assert.throws(() => journal.append([batch(3), batch(2)]), /UNIQUE/);
    assert.deepEqual(journal.backlog(), { batches: 2, rows: 2 });
    assert.equal(journal.backlogBytes(), 2 * batch(1).lines.length);
    journal.append([batch(4), batch(5)]);
    const lines = [1, 2, 4, 5].map((seq) => batch(seq).lines).join('');
    assert.equal(journal.nextShipment(WIDE)?.lines.toString(), lines);
    journal.close();
  });

  it('repeats the same shipment until it is confirmed, in doubt once it is opened again', () => {
    const path = freshPath();
    const first = withJournal(path, (journal) => {
      journal.append([{ seq: 1, rows: 1, lines: 'one\n' }]);
      return journal.nextShipment(WIDE);
    });
    withJournal(path, (journal) => {
      journal.append([{ seq: 2, rows: 1, lines: 'two\n' }]);
      assert.deepEqual(journal.nextShipment(WIDE), {
        ...first,
        hasMore: true,
        isInDoubt: true,
      });
      if (first !== undefined) journal.confirmShipment(first);
      assert.equal(journal.nextShipment(WIDE)?.lines.toString(), 'two\n');
    });
  });

  it('never uses a sequence number again, also when every batch has been shipped', () => {
    const path = freshPath();
    const used = Date.now(); // Far above the clock.
    withJournal(path, (journal) => {
      journal.append([{ seq: used, rows: 1, lines: 'x\n' }]);
      const shipment = journal.nextShipment(WIDE);
      if (shipment !== undefined) journal.confirmShipment(shipment);
    });
    withJournal(path, (journal) => {
      assert.equal(journal.lastSeq, used);
      assert.deepEqual(journal.backlog(), { batches: 0, rows: 0 });
    });
  });

  for (const [loss, lose] of [
    ['gone', (path: string) => rmSync(path)],
    ['emptied', (path: string) => writeFileSync(path, '')],
  ] as const) {
    it(`nor when the file is ${loss}, which is told`, () => {
      const path = freshPath();
      const used = withJournal(path, (journal) => {
        journal.append([{ seq: journal.lastSeq + 1, rows: 1, lines: 'x\n' }]);
        return journal.lastSeq + 1;
      });
      lose(path);
      const told: string[] = [];
      while (Date.now() - NUMBERED_SINCE <= used); // A restart takes longer.
      const journal = openJournalFile(path, (trouble) => told.push(trouble), true);
      assert.ok(journal.lastSeq >= used, `${journal.lastSeq} after ${used}`);
      assert.match(told.join(), /what was in it is gone/);
      assert.ok(
        Number(journal.findLostTotal()?.upTo) >= used,
        'the warehouse is asked for its total',
      );
      journal.close();
    });
  }

  it('tells nothing of a file that was never there', () => {
    const told: string[] = [];
    openJournalFile(freshPath(), (trouble) => told.push(trouble)).close();
    assert.deepEqual(told, []);
  });

  it('knows the bytes of its backlog, also after it was opened again', () => {
    const path = freshPath();
    withJournal(path, (journal) => {
      journal.append([{ seq: 1, rows: 1, lines: 'é\n' }]);
      journal.append([{ seq: 2, rows: 1, lines: 'four\n' }]);
      assert.equal(journal.backlogBytes(), 8);
    });
    withJournal(path, (journal) => {
      const shipment = journal.nextShipment({ ...WIDE, rows: 1 });
      assert.equal(journal.backlogBytes(), 8);
      if (shipment !== undefined) journal.confirmShipment(shipment);
      assert.equal(journal.backlogBytes(), 5);
    });
  });

  it('cuts a backlog into shipments within the limits, and ships a batch above them alone', () => {
    const journal = openJournalFile(freshPath());
    for (const [seq, rows] of [10, 10, 500, 10].entries())
      journal.append([{ seq: seq + 1, rows, lines: 'x\n' }]);
    const seen: number[] = [];
    for (let s = journal.nextShipment({ ...WIDE, rows: 20 }); s !== undefined; ) {
      seen.push(s.rows);
      journal.confirmShipment(s);
      s = journal.nextShipment({ ...WIDE, rows: 20 });
    }
    assert.deepEqual(seen, [20, 500, 10]);
    journal.close();
  });

  it('sets a damaged batch aside and ships its neighbours', () => {
    const path = freshPath();
    withJournal(path, (journal) => {
      for (const seq of [1, 2, 3]) journal.append([{ seq, rows: 1, lines: `${seq}\n` }]);
    });
    const db = new DatabaseSync(path);
    db.exec("UPDATE batches SET lines = CAST('9' || char(10) AS BLOB) WHERE seq = 2");
    db.close();
    withJournal(path, (journal) => {
      assert.equal(journal.nextShipment(WIDE)?.lines.toString(), '1\n3\n');
      assert.equal(journal.setAsideBatches(), 1);
    });
  });

  it('narrows a refused shipment down to the batch that is refused, and sets that one aside', () => {
    const path = freshPath();
    const told: string[] = [];
    const journal = openJournalFile(path, (trouble) => told.push(trouble));
    for (const seq of [1, 2, 3, 4, 5]) journal.append([{ seq, rows: 1, lines: `${seq}\n` }]);
    const shipped = shipAllBut(journal, '4\n');
    assert.equal(shipped.lines, '1\n2\n3\n5\n');
    assert.ok(shipped.tries < 12);
    assert.deepEqual([journal.setAsideBatches(), journal.backlogBytes()], [1, 0]);
    assert.match(told.join(), /Batch 4 of 1 events cannot be read/);
    journal.close();
    withJournal(path, (again) => {
      assert.equal(again.setAsideBatches(), 0);
      assert.equal(shipAllBut(again, 'none').lines, '4\n');
    });
  });
});

/** What a warehouse took that refuses every shipment with these lines in it. */
function shipAllBut(journal: JournalFile, poison: string): { lines: string; tries: number } {
  let lines = '';
  let tries = 0;
  for (let s = journal.nextShipment(WIDE); s !== undefined; s = journal.nextShipment(WIDE)) {
    tries += 1;
    if (s.lines.includes(poison)) {
      journal.refuseShipment(s);
      continue;
    }
    lines += s.lines;
    journal.confirmShipment(s);
  }
  return { lines, tries };
}

function withJournal<T>(path: string, work: (journal: JournalFile) => T): T {
  const journal = openJournalFile(path);
  try {
    return work(journal);
  } finally {
    journal.close();
  }
}
