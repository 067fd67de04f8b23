import assert from 'node:assert/strict';
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { type JournalFile, openJournalFile } from './journal-file.ts';
import { openJournal } from './open-journal.ts';
import { watchDamage } from './watch-damage.ts';

const MEGABYTE = 1024 * 1024;
const PAGE_BYTES = 4_096;
/** More than SQLite keeps in memory: what lies on disk is read again. */
const LARGE_LINE = `${'x'.repeat(8 * MEGABYTE)}\n`;
const NO_LIMITS = { sizeBytes: 1024 * MEGABYTE, rows: 1_000 };

describe('damage that a journal file is found to have', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-damage-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  let count = 0;

  /** A file of so many batches of eight megabytes, nothing of which is in memory or in a log. */
  function fileOf(batches: number): string {
    const path = join(folder, `${count++}`, '7.db');
    mkdirSync(join(path, '..'));
    const journal = openJournalFile(path);
    for (let seq = 1; seq <= batches; seq++) journal.append([{ seq, rows: 1, lines: LARGE_LINE }]);
    journal.close();
    return path;
  }

  function watch(path: string) {
    const met: unknown[] = [];
    return { file: watchDamage(openJournalFile(path), (error) => met.push(error)), met };
  }

  const steps: readonly [string, (file: JournalFile, damage: () => void) => void][] = [
    [
      'read to be shipped',
      (file, damage) => {
        damage();
        file.nextShipment(NO_LIMITS);
      },
    ],
    [
      'deleted once it is shipped',
      (file, damage) => {
        const shipment = file.nextShipment(NO_LIMITS);
        damage();
        if (shipment !== undefined) file.confirmShipment(shipment);
      },
    ],
  ];
  for (const [when, step] of steps) {
    it(`is told when a batch is ${when}, and thrown`, () => {
      const path = fileOf(1);
      const { file, met } = watch(path);
      assert.throws(() => step(file, () => loseMiddle(path)), /malformed/);
      assert.match(String(met), /malformed/);
      assert.equal(met.length, 1);
      file.close();
    });
  }

  it('is not what a batch is that comes twice', () => {
    const { file, met } = watch(fileOf(1));
    assert.throws(() => file.append([{ seq: 1, rows: 1, lines: 'again\n' }]), /UNIQUE/);
    assert.deepEqual(met, []);
    file.close();
  });

  it('is mended when a file meets it that was too large to be looked through', () => {
    const path = fileOf(9);
    lose(path, 1, 3); // The schema is there, the tables are not.
    const told: string[] = [];
    const journal = openJournalFile(path, (trouble) => told.push(trouble));
    assert.match(told.join(), /was damaged/);
    journal.append([{ seq: journal.lastSeq + 1, rows: 1, lines: '{}\n' }]);
    journal.close();
  });

  it('ends the thread, and has the file looked at that has it, not its own', async () => {
    const path = fileOf(1);
    const own = join(path, '..', '1.db');
    const deaths: unknown[] = [];
    const { promise: died, resolve } = Promise.withResolvers<void>();
    await openJournal({
      path: own,
      number: 1,
      isKnown: false,
      warehouse: { kind: 'remote', url: 'http://127.0.0.1:1' },
      ledgerPath: join(path, '..', 'ledger.db'),
      ratesPath: join(path, '..', 'rates.csv'),
      shipsLedger: false,
      archive: undefined,
      abandoned: [{ path, number: 7 }],
      backlogMaxBytes: MEGABYTE,
      onShipFailure() {},
      onTrouble() {},
      onDeath(error) {
        deaths.push(error);
        resolve();
      },
    });
    loseMiddle(path);
    await died;
    assert.match(String(deaths), /malformed/);
    assert.ok(existsSync(`${path}.suspect`));
    assert.ok(!existsSync(`${own}.suspect`));
  });
});

/** Zeroes, as a disk may answer that lost them, over pages from the middle of the file on. */
function loseMiddle(path: string): void {
  const file = openSync(path, 'r+');
  const pages = Math.floor(fstatSync(file).size / PAGE_BYTES);
  closeSync(file);
  lose(path, Math.floor(pages / 4), Math.floor((pages * 3) / 4));
}

function lose(path: string, fromPage: number, toPage: number): void {
  const file = openSync(path, 'r+');
  const zeroes = Buffer.alloc((toPage - fromPage) * PAGE_BYTES);
  writeSync(file, zeroes, 0, zeroes.length, fromPage * PAGE_BYTES);
  closeSync(file);
}
