import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { readEventHeads } from '#contract/rows/event-heads.ts';
import { toLineOpening, toLineTail } from '#contract/rows/event-lines.ts';
import { openArchive } from '#journal/archive/open-archive.ts';
import { listArchive, readArchiveFile } from '#journal/archive/read-archive.ts';
import { openJournalFiles } from '#journal/journal-files.ts';
import { dataPathsOf } from '#processes/paths.ts';
import { JOURNAL, toBatchId } from '#storage/shipment-token.ts';
import { startServer } from '../../server/start-server.ts';
import { copyShopForEach } from './stopped-shop.ts';

const PAGE_BYTES = 4_096;
const STARTS_MAX = 5;

describe('a journal that is damaged after a crash between two steps of a shipment', () => {
  const copied = copyShopForEach();
  const paths = () => dataPathsOf(copied.shop.dataDir);

  type Crash = (lines: readonly string[], token: string) => Promise<void>;

  /** Commits batches of one event each, ships them up to `crash`, and damages the file. */
  async function leave(batches: number, crash: Crash, damagedTable: string): Promise<string[]> {
    const journal = openJournalFiles(paths().journals);
    const firstSeq = journal.lastSeq + 1;
    const ids = Array.from({ length: batches }, () => randomUUID());
    const lines = ids.map((event_id, index) => {
      const row = { site_id: 's', visitor_id: 'v', type: 'pageview' as const, event_id };
      const tail = toLineTail({ ...row, occurred_at: Date.now(), accepted_at: Date.now() });
      return toLineOpening(toBatchId(JOURNAL, firstSeq + index)) + tail;
    });
    for (const [index, line] of lines.entries())
      journal.append([{ seq: firstSeq + index, rows: 1, lines: line }]);
    const token = journal.nextShipment()?.token ?? assert.fail();
    journal.close();
    await crash(lines, token);
    damage(join(paths().journals, `${firstSeq}.db`), damagedTable);
    return ids;
  }

  /** A table without batches: all of them come out. */
  function damage(path: string, table: string): void {
    const db = new DatabaseSync(path);
    const row = db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table);
    db.close();
    const file = openSync(path, 'r+');
    writeSync(
      file,
      Buffer.alloc(PAGE_BYTES, 7),
      0,
      PAGE_BYTES,
      (Number(row?.rootpage) - 1) * PAGE_BYTES,
    );
    closeSync(file);
  }

  const insert = (lines: readonly string[]) =>
    copied.shop.tamper((warehouse) =>
      warehouse.insertLines('events', Buffer.from(lines.join('')), randomUUID()),
    );

  async function archive(token: string, lines: readonly string[]): Promise<void> {
    const opened = openArchive({ folder: paths().archive });
    await opened.keep({ token, rows: lines.length, lines: Buffer.from(lines.join('')) });
    await opened.close();
  }

  /** A stop on a busy machine may leave batches for the next start. */
  async function serveUntilArchived(ids: readonly string[]): Promise<number[]> {
    await serveOnce();
    let times = await timesArchived(ids);
    for (let starts = 1; starts < STARTS_MAX && times.includes(0); starts += 1) {
      const server = await startServer({ dataDir: copied.shop.dataDir });
      assert.equal(await server.stop(), 0);
      times = await timesArchived(ids);
    }
    return times;
  }

  async function serveOnce(): Promise<void> {
    const { dataDir } = copied.shop;
    const server = await startServer({ dataDir });
    assert.equal(await server.stop(), 0);
    assert.match(
      server.said(),
      /\d\.db was damaged .* has been set aside\. \d of its batches will be shipped\. No batch is lost/,
    );
    rmSync(join(dataDir, 'journal', 'damaged'), { recursive: true });
  }

  /** How often the archive has each event, counting a repeated shipment once. */
  async function timesArchived(ids: readonly string[]): Promise<number[]> {
    const byToken = new Map<string, string[]>();
    for (const { path } of listArchive(paths().archive)) {
      for await (const part of readArchiveFile(join(paths().archive, path))) {
        if (part.kind !== 'shipment') continue;
        const heads = [...readEventHeads(await part.readLines())];
        byToken.set(
          part.token,
          heads.map(({ eventId }) => eventId),
        );
      }
    }
    const found = [...byToken.values()].flat();
    return ids.map((id) => found.filter((each) => each === id).length);
  }

  for (const table of ['set_aside_batches', 'shipment', 'totals']) {
    it(`has in the archive what the warehouse had of it, ${table} being lost`, async () => {
      const ids = await leave(2, (lines) => insert(lines), table);
      assert.deepEqual(await serveUntilArchived(ids), [1, 1]);
      assert.deepEqual(await copied.shop.differing(/./), []);
    });

    it(`doubles nothing that was archived, and lacks nothing of the rest, ${table} being lost`, async () => {
      const crash: Crash = async (lines, token) => {
        await insert(lines.slice(0, 3));
        await archive(token, lines);
      };
      const ids = await leave(4, crash, table);
      assert.deepEqual(await serveUntilArchived(ids), [1, 1, 1, 1]);
      assert.deepEqual(await copied.shop.differing(/./), []);
    });
  }
});
