import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { toLineOpening, toLineTail } from '#contract/rows/event-lines.ts';
import { toArchiveFrame } from '#journal/archive/archive-frame.ts';
import { openArchive } from '#journal/archive/open-archive.ts';
import { listArchive, readArchiveFile } from '#journal/archive/read-archive.ts';
import { openJournalFiles } from '#journal/journal-files.ts';
import { DAMAGED_FOLDER } from '#journal/set-damaged-aside.ts';
import { withWarehouse } from '#processes/with-warehouse.ts';
import { createReports } from '#report/reports/create-reports.ts';
import { parseSettings } from '#settings.ts';
import { addCaller, type Caller } from '../../server/caller.ts';
import { MAIN } from '../../server/program.ts';
import { makeDataDir, runCli, startServer, type TestServer } from '../../server/start-server.ts';
import { assertVerified } from '../../server/verify-data.ts';
import { waitUntil } from '../../server/wait-until.ts';

const QUERY = {
  metrics: ['visitors', 'visits', 'pageviews', 'conversions', 'revenue', 'gross_revenue'],
  dimensions: ['visit:source'],
};

/** Of two days, in each of which a third of the money is refunded. */
function isWhole(answer: unknown): boolean {
  const { results = [] } = answer as { results?: { metrics: [...number[], Money, Money] }[] };
  const [visitors, visits, pageviews, conversions, revenue, gross] = results[0]?.metrics ?? [];
  const left = Number((revenue as Money | undefined)?.value) / Number((gross as Money)?.value);
  return isDeepStrictEqual([visitors, visits, pageviews, conversions], [2, 2, 4, 4]) && left < 0.7;
}

type Money = { readonly value: string };

type Site = { readonly id: string; readonly timezone: string; readonly currency: string };

type Rebuilt = {
  in_place: boolean;
  events: number;
  verified: boolean;
  differences: { what: string }[];
};

describe('the command rebuild', () => {
  let dataDir: string;
  let caller: Caller;
  let expected: unknown;
  let site: Site;

  before(async () => {
    dataDir = makeDataDir();
    for (const [index, day] of ['monday', 'tuesday'].entries()) {
      await serve(async (server) => {
        caller =
          index === 0 ? await addCaller(server.url, dataDir, 'example.com') : caller.at(server.url);
        await live(day);
      });
    }
    expected = await ask();
    [site] = await runCli<[Site]>(['site', 'list'], dataDir);
  });
  after(() => rmSync(dataDir, { recursive: true, force: true }));

  async function serve(work: (server: TestServer) => Promise<void>): Promise<void> {
    const server = await startServer({ dataDir });
    await work(server).finally(() => server.stop());
  }

  /** One day of a shop. */
  async function live(day: string): Promise<void> {
    const visitor = { service_visitor_id: day, currency: 'EUR' };
    const answers = [
      await caller.pageview(day, '/?utm_source=newsletter'),
      await caller.pageview(day, '/pricing'),
      await caller.goal(day, 'signup'),
      await caller.goal(day, 'keyed', `key-${day}`),
      await caller.payment({ ...visitor, amount: 29.99, transaction_id: day }),
      await caller.payment({ ...visitor, amount: 9.99, transaction_id: day, refunded: true }),
    ];
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  }

  /** The server's answers from the current warehouse. */
  async function ask(): Promise<unknown> {
    let body: unknown;
    await serve(async (server) => {
      const found = await waitUntil(
        () => caller.at(server.url).query(QUERY),
        ({ body }) => isWhole(body), // A stop on a busy machine may leave batches for the next start.
      );
      body = (found.body as { results: unknown }).results;
    });
    return body;
  }

  /** The same without a server, which is slow to start. */
  async function read(): Promise<unknown> {
    const settings = parseSettings({ DATA_DIR: dataDir });
    assert.ok(settings.ok);
    const answer = await withWarehouse(settings.value, (warehouse) => {
      const query = { site_id: site.id, date_range: 'all' as const, ...QUERY };
      return createReports({ warehouse, now: Date.now }).breakdowns.answer(site, query);
    });
    assert.ok(answer.ok);
    return answer.value.results;
  }

  type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string };

  function run(...options: string[]): Promise<Ran> {
    const env = { ...process.env, DATA_DIR: dataDir };
    return new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        [MAIN, 'rebuild', ...options],
        { env },
        (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
      );
    });
  }

  async function rebuild(...options: string[]): Promise<Rebuilt & { code: number }> {
    const { code, stdout, stderr } = await run('--json', ...options);
    assert.notEqual(stdout, '', stderr);
    return { code, ...(JSON.parse(stdout) as Rebuilt) };
  }

  it('makes the whole warehouse of archive and ledger, and shows how far it is', async () => {
    rmSync(join(dataDir, 'warehouse'), { recursive: true });
    const { code, stdout, stderr } = await run();
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^[\d,]+ of [\d,]+ bytes of the archive$/m);
    assert.match(stdout, /Nothing differs\.\n\nInserted 8 events and 4 payment rows\./);
    assert.match(stdout, /The new warehouse is in place\.\n$/);
    assert.deepEqual(await read(), expected);
  });

  it('begins anew when it was killed, as often as that happens', async () => {
    rmSync(join(dataDir, 'warehouse'), { recursive: true });
    for (const afterMs of [300, 700, 900, 1_100, 1_300]) {
      const child = spawn(process.execPath, [MAIN, 'rebuild'], {
        env: { ...process.env, DATA_DIR: dataDir },
        stdio: 'ignore',
      });
      await killAfter(child, afterMs);
    }
    assert.equal((await rebuild()).verified, true);
    assert.equal(existsSync(join(dataDir, 'rebuild')), false);
    assert.deepEqual(await read(), expected);
  });

  it('does not double what was archived and is about to be shipped again', async () => {
    const journal = openJournalFiles(join(dataDir, 'journal'));
    const seq = journal.lastSeq + 1;
    journal.append([{ seq, rows: 1, lines: lineOf(seq) }]);
    const shipment = journal.nextShipment();
    assert.ok(shipment?.token !== undefined);
    const archive = openArchive({ folder: join(dataDir, 'archive') });
    await archive.keep({ token: shipment.token, rows: 1, lines: shipment.lines });
    await archive.close();
    journal.close();

    assert.equal((await rebuild()).verified, true);
    assert.deepEqual(await ask(), expected); // The server ships what was in flight.
    await assertVerified(dataDir);
    assert.deepEqual(await read(), expected);
  });

  function lineOf(seq: number): string {
    const tail = toLineTail({
      site_id: 'site_of_another',
      visitor_id: 'v',
      type: 'pageview',
      event_id: '019aa000-0000-7000-8000-000000000000',
      occurred_at: Date.now(),
      accepted_at: Date.now(),
    });
    return toLineOpening((1n << 40n) | BigInt(seq)) + tail;
  }

  it('leaves the old warehouse in place when the archive lacks something, unless it is told otherwise', async () => {
    const [first] = listArchive(join(dataDir, 'archive'));
    const path = join(dataDir, 'archive', first?.path ?? '');
    renameSync(path, `${path}.away`);
    const { code, stdout } = await run();
    assert.equal(code, 1);
    assert.match(stdout, /^events of .*DIFFERS$/m); // Of a journal or the outbox, by what was shipped first.
    assert.match(stdout, / stays\. Restore the missing parts of the archive/);
    assert.deepEqual(await read(), expected);

    const lacking = await rebuild('--accept-gaps');
    assert.deepEqual([lacking.code, lacking.verified, lacking.in_place], [1, false, true]);
    assert.ok(lacking.differences.some(({ what }) => what.startsWith('events of ')));
    renameSync(`${path}.away`, path);
    const { verified, in_place } = await rebuild();
    assert.deepEqual([verified, in_place], [true, true]);
    assert.deepEqual(await read(), expected);
  });

  it('leaves the old warehouse in place when the archive has something too much', async () => {
    const [first] = listArchive(join(dataDir, 'archive'));
    const path = join(dataDir, 'archive', first?.path ?? '');
    copyFileSync(path, `${path}.kept`);
    await doubleFirstShipment(path);
    const doubled = await run();
    assert.equal(doubled.code, 1);
    assert.match(doubled.stdout, /Remove the surplus from the archive/);
    renameSync(`${path}.kept`, path);
    const whole = await rebuild();
    assert.deepEqual([whole.code, whole.in_place], [0, true]);
    assert.deepEqual(await read(), expected);
  });

  it('restores a backup in an empty DATA_DIR, as docs/operations.md says', async () => {
    const original = dataDir;
    dataDir = makeDataDir();
    try {
      for (const name of ['ledger.db', 'accounts.sqlite']) {
        const db = new DatabaseSync(join(original, name));
        db.exec(`VACUUM INTO '${join(dataDir, name)}'`);
        db.close();
      }
      cpSync(join(original, 'archive'), join(dataDir, 'archive'), { recursive: true });
      const restored = await rebuild();
      assert.deepEqual([restored.code, restored.in_place], [0, true]);
      assert.deepEqual(await read(), expected);
    } finally {
      rmSync(dataDir, { recursive: true });
      dataDir = original;
    }
  });

  it('asks for nothing of the archive where that is whole', async () => {
    const damaged = join(dataDir, 'journal', DAMAGED_FOLDER);
    mkdirSync(damaged);
    writeFileSync(join(damaged, '1.db'), 'damaged');
    const { code, stdout } = await run();
    rmSync(damaged, { recursive: true });
    assert.equal(code, 1);
    assert.match(stdout, /^damaged journal files +0 +1 +DIFFERS$/m);
    assert.match(stdout, /\nThe old warehouse stays\. Archive and journals agree/);
  });

  /** Under another token, as if someone had put it there. */
  async function doubleFirstShipment(path: string): Promise<void> {
    for await (const part of readArchiveFile(path)) {
      if (part.kind !== 'shipment') continue;
      const { rows } = part;
      const lines = await part.readLines();
      appendFileSync(path, await toArchiveFrame({ token: 'twice', rows, lines }));
      return;
    }
  }
});

/** `kill -9`, unless it has already ended; its engine ends by itself. */
async function killAfter(child: ChildProcess, ms: number): Promise<void> {
  const exited = new Promise((resolve) => child.once('exit', resolve));
  await Promise.race([exited, sleep(ms)]);
  child.kill('SIGKILL');
  await exited;
}
