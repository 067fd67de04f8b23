import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { toLineOpening, toLineTail } from '#contract/rows/event-lines.ts';
import type { EventRow } from '#contract/rows/event-row.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import type { ArchiveEntry } from '#journal/archive/archive-frame.ts';
import { keepNothing } from '#journal/archive/kept-from.ts';
import { openArchive } from '#journal/archive/open-archive.ts';
import { listArchive, readArchiveFile } from '#journal/archive/read-archive.ts';
import { openJournalFiles } from '#journal/journal-files.ts';
import { dataPathsOf } from '#processes/paths.ts';
import type { Tamper } from '../../server/verify-data.ts';
import { ALTER_NOW, copyShopForEach, MONDAY, TUESDAY, toDay } from './stopped-shop.ts';

type Shipment = ArchiveEntry & { readonly path: string; readonly lines: Buffer };

describe('the command verify, by site, day and type', () => {
  const copied = copyShopForEach();

  const archive = () => join(copied.shop.dataDir, 'archive');

  const onMonday = `toDate(occurred_at) = '${toDay(MONDAY)}'`;

  /** The archive's complete shipments. */
  async function shipments(): Promise<Shipment[]> {
    const found: Shipment[] = [];
    for (const { path } of listArchive(archive())) {
      for await (const part of readArchiveFile(join(archive(), path))) {
        if (part.kind === 'shipment') found.push({ ...part, path, lines: await part.readLines() });
      }
    }
    return found;
  }

  it('prints one line a site and type when all agrees', async () => {
    const { code, stdout } = await copied.shop.run([]);
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^pageview events of example\.com in the archive +4 +4 +ok$/m);
    assert.match(stdout, /^pageview events of other\.example in the archive +1 +1 +ok$/m);
    assert.match(stdout, /^goal events of example\.com in the archive +1 +1 +ok$/m);
    assert.doesNotMatch(stdout, /, on \d/);
  });

  it('reports the day that lacks an event', async () => {
    const where = `visitor_id = 'ben' AND ${onMonday}`;
    const tamper: Tamper = (warehouse) =>
      warehouse.command({ sql: `ALTER TABLE events DELETE WHERE ${where} ${ALTER_NOW}` });
    assert.deepEqual(await copied.shop.differing(/in the archive/, tamper), [
      'pageview events of example.com in the archive: 4, 3',
      `pageview events of example.com in the archive, on ${toDay(MONDAY)}: 3, 2`,
    ]);
    const { stdout } = await copied.shop.run([]);
    assert.match(stdout, new RegExp(`archive, on ${toDay(MONDAY)} +3 +2 +DIFFERS`));
  });

  /** Replaces ben's event with another, in the same batch. */
  function replace(changed: Partial<EventRow>): Tamper {
    return async (warehouse) => {
      const [row] = await warehouse.select<Record<'batch_id' | 'site_id' | 'event_id', string>>({
        sql: "SELECT batch_id, site_id, event_id FROM events WHERE visitor_id = 'ben'",
      });
      assert.ok(row !== undefined);
      const { batch_id = '', ...names } = row;
      const event: EventRow = {
        ...{ ...names, type: 'pageview', visitor_id: 'eve' },
        ...{ occurred_at: MONDAY, accepted_at: Date.now(), ...changed },
      };
      await warehouse.command({
        sql: `ALTER TABLE events DELETE WHERE visitor_id = 'ben' ${ALTER_NOW}`,
      });
      const line = toLineOpening(batch_id) + toLineTail(event);
      await warehouse.insertLines('events', Buffer.from(line));
    };
  }

  it('reports an event of another type', async () => {
    const tamper = replace({ type: 'outbound' });
    assert.deepEqual(await copied.shop.differing(/in the archive|of journal/, tamper), [
      'outbound events of example.com in the archive: 0, 1',
      `outbound events of example.com in the archive, on ${toDay(MONDAY)}: 0, 1`,
      'pageview events of example.com in the archive: 4, 3',
      `pageview events of example.com in the archive, on ${toDay(MONDAY)}: 3, 2`,
    ]);
  });

  it('reports an event in the place of another', async () => {
    const tamper = replace({ event_id: randomUUID() });
    const differing = await copied.shop.differing(/in the archive|of journal/, tamper);
    const name = 'pageview events of example.com in the archive, sum of their ids';
    assert.deepEqual(
      differing.map((text) => text.replace(/: .*/, '')),
      [name, `${name}, on ${toDay(MONDAY)}`],
    );
  });

  it('reports an event too many, and one that occurred on another day', async () => {
    const tamper = replace({ occurred_at: TUESDAY });
    assert.deepEqual(await copied.shop.differing(/in the archive|of journal/, tamper), [
      `pageview events of example.com in the archive, on ${toDay(MONDAY)}: 3, 2`,
      `pageview events of example.com in the archive, on ${toDay(TUESDAY)}: 1, 2`,
    ]);
  });

  it('counts a shipment that is twice in the archive once', async () => {
    for (const { path } of listArchive(archive())) {
      const file = join(archive(), path);
      copyFileSync(file, file.replace('.ndjson.zst', '.2.ndjson.zst'));
    }
    assert.deepEqual((await copied.shop.verify()).differences, []);
  });

  it('reports damaged bytes of the archive, and what they cost', async () => {
    const [first] = (await shipments()).filter(({ token }) => token.startsWith('journal-0-'));
    assert.ok(first !== undefined);
    const file = join(archive(), first.path);
    const bytes = readFileSync(file);
    bytes[first.endsAt - 1] = (bytes[first.endsAt - 1] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    const size = first.endsAt - first.from;
    assert.deepEqual(await copied.shop.differing(/archive/), [
      'goal events of example.com in the archive: 0, 1',
      `goal events of example.com in the archive, on ${toDay(Date.now())}: 0, 1`,
      `damaged places in the archive’s ${first.path} (${size} bytes): 0, 1`,
    ]);
  });

  it('reports a file of the archive that cannot be read, and counts the others', async () => {
    mkdirSync(join(archive(), '2020-01-01', 'x.ndjson.zst'), { recursive: true });
    const [told = '', ...others] = await copied.shop.differing(/archive/);
    assert.match(told, /^damaged places in the archive’s 2020-01-01\/x\.ndjson\.zst .*: 0, 1$/);
    assert.deepEqual(others, []);
  });

  it('reports what a rebuild would lose when a file of the archive is gone', async () => {
    rmSync(archive(), { recursive: true });
    const told = await copied.shop.differing(/of other\.example in the archive/);
    assert.deepEqual(told, [
      'pageview events of other.example in the archive: 0, 1',
      `pageview events of other.example in the archive, on ${toDay(MONDAY)}: 0, 1`,
    ]);
    assert.equal((await copied.shop.verify({ env: { ARCHIVE_DAYS: '0' } })).verified, true);
    const { code, stdout } = await copied.shop.run(['--skip-archive']);
    assert.equal(code, 0);
    assert.match(stdout, /^events by day: the archive is skipped +not compared/m);
    await keepNothing(archive());
    const kept = await copied.shop.run([]);
    assert.match(kept.stdout, /^events by day: no archive is kept +not compared/m);
    assert.equal(kept.code, 0);
  });

  it('does not expect days that the archive has let go', async () => {
    const [first] = await shipments();
    assert.ok(first !== undefined);
    const later = { keepDays: 30, now: () => Date.now() + 40 * DAY_MS };
    const kept = openArchive({ folder: archive(), ...later });
    await kept.keep({ token: first.token, rows: first.rows, lines: first.lines });
    await kept.close();
    assert.ok(!existsSync(join(archive(), first.path)));
    const { differences, counts } = await copied.shop.verify();
    assert.deepEqual(differences, []);
    const left = counts.find(({ what }) => what.startsWith('events accepted before'));
    assert.deepEqual(left, {
      what: `events accepted before ${toDay(Date.now() + 10 * DAY_MS)}`,
      ...{ expected: 'not compared', found: '6', agrees: true },
    });
  });

  it('expects no day that ARCHIVE_DAYS let go before there was a note of it', async () => {
    const tamper: Tamper = async (warehouse) => {
      const old = { occurred_at: MONDAY, accepted_at: Date.now() - 40 * DAY_MS };
      const tail = toLineTail({
        ...{ site_id: 's', visitor_id: 'v', type: 'pageview', event_id: randomUUID(), ...old },
      });
      await warehouse.insertLines('events', Buffer.from(toLineOpening(1n << 40n) + tail));
    };
    const differing = async (options: Parameters<typeof copied.shop.verify>[0]) =>
      (await copied.shop.verify(options)).differences.filter(({ what }) =>
        what.includes(' in the archive'),
      );
    assert.equal((await differing({ tamper })).length, 2);
    assert.deepEqual(await differing({ env: { ARCHIVE_DAYS: '30' } }), []);
    assert.equal((await differing({ env: { ARCHIVE_DAYS: '50' } })).length, 2);
  });

  it('refuses a note that names no day, and names its file', async () => {
    writeFileSync(join(archive(), 'kept-from'), 'yesterday\n');
    const { code, stderr } = await copied.shop.run([]);
    assert.equal(code, 1);
    assert.match(stderr, /archive\/kept-from contains "yesterday", but must contain a day such as/);
  });

  it('leaves aside what is under way, be it in the archive or not', async () => {
    const journal = openJournalFiles(dataPathsOf(copied.shop.dataDir).journals);
    const seq = journal.lastSeq + 1;
    const tail = toLineTail({
      ...{ site_id: 's', visitor_id: 'v', type: 'pageview', event_id: randomUUID() },
      ...{ occurred_at: MONDAY, accepted_at: Date.now() },
    });
    journal.append([{ seq, rows: 1, lines: toLineOpening((1n << 40n) | BigInt(seq)) + tail }]);
    const shipment = journal.nextShipment();
    assert.ok(shipment?.token !== undefined);
    const kept = openArchive({ folder: archive() });
    await kept.keep({ token: shipment.token, rows: 1, lines: shipment.lines });
    await kept.close();
    journal.close();
    assert.deepEqual((await copied.shop.verify()).differences, []);
  });
});
