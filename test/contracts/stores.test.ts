import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readEventLine } from '#contract/rows/event-lines.ts';
import { openArchive } from '#journal/archive/open-archive.ts';
import { listArchive, readArchiveFile } from '#journal/archive/read-archive.ts';
import { type Journal, openJournal } from '#journal/open-journal.ts';
import { listJournalFiles } from '#storage/list-journals.ts';
import { describeArchive, type ReadShipment } from './archive-contract.ts';
import { describeJournal } from './journal-contract.ts';

/** Nobody listens there, so nothing is ever shipped. */
const NOWHERE = { kind: 'remote', url: 'http://127.0.0.1:1' } as const;

const makeFolder = () => mkdtempSync(join(tmpdir(), 'tributary-contract-'));
const remove = (folder: string) => rmSync(folder, { recursive: true });

describeJournal('a journal of SQLite files', async () => {
  const folder = makeFolder();
  const journals = join(folder, 'journal');
  const open = () =>
    openJournal({
      thread: new URL('../../src/app/journal-thread.ts', import.meta.url),
      ...{ folder: journals, isKnown: false, warehouse: NOWHERE, archive: undefined },
      ...{
        ledger: join(folder, 'ledger.db'),
        ratesPath: join(folder, 'rates.csv'),
        clockPath: join(folder, 'clock.json'),
      },
      backlogMaxBytes: 1_000_000,
      onShipFailure() {},
      onTrouble() {},
      onDeath(error) {
        throw error;
      },
    });
  const opened: Journal[] = [await open()];
  return {
    journal: opened[0] as Journal,
    async reopen() {
      await opened.at(-1)?.close();
      const next = await open();
      opened.push(next);
      return next;
    },
    readWaiting: () =>
      listJournalFiles(journals)
        .flatMap(readLines)
        .map((line) => String(readEventLine(line).event_id)),
    refuseNext() {
      const [newest = ''] = readdirSync(journals)
        .filter((name) => name.endsWith('.db'))
        .toSorted()
        .toReversed();
      const db = new DatabaseSync(join(journals, newest), { timeout: 5_000 });
      db.exec(`CREATE TRIGGER full BEFORE INSERT ON batches
        BEGIN SELECT raise(ABORT, 'database or disk is full'); END`);
      db.close();
    },
    async close() {
      await opened.at(-1)?.close();
      remove(folder);
    },
  };
});

describeArchive('an archive of zstd files', async () => {
  const root = makeFolder();
  const folder = join(root, 'archive');
  let archive = openArchive({ folder });
  return {
    archive,
    async reopen() {
      await archive.close();
      archive = openArchive({ folder });
      return archive;
    },
    read: () => readAll(folder),
    async close() {
      await archive.close();
      remove(root);
    },
  };
});

function readLines(path: string): string[] {
  const db = new DatabaseSync(path, { readOnly: true });
  const rows = db.prepare('SELECT CAST(lines AS TEXT) AS lines FROM batches ORDER BY seq').all();
  db.close();
  return rows.flatMap(({ lines }) => String(lines).split('\n').filter(Boolean));
}

async function readAll(folder: string): Promise<ReadShipment[]> {
  const found: ReadShipment[] = [];
  for (const { path } of listArchive(folder)) {
    for await (const part of readArchiveFile(join(folder, path))) {
      if (part.kind !== 'shipment') continue;
      const lines = (await part.readLines()).toString();
      found.push({ token: part.token, rows: part.rows, lines });
    }
  }
  return found;
}
