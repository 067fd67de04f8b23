import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { createKey } from '../../server/add-site.ts';
import { addCaller, type Caller } from '../../server/caller.ts';
import { MAIN } from '../../server/program.ts';
import { makeDataDir, startServer, type TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';
import { startWarehouseDoor, type WarehouseDoor } from '../../server/warehouse-door.ts';

/** As many events as a few pages have. */
const MANY = 80_000;

describe('exports', () => {
  const dataDir = makeDataDir();
  let door: WarehouseDoor;
  let server: TestServer;
  let caller: Caller;
  let reader: string;

  before(async () => {
    door = await startWarehouseDoor(dataDir);
    server = await startServer({ dataDir, env: { CLICKHOUSE_URL: door.url } });
    caller = await addCaller(server.url, dataDir, 'exports.example');
    reader = await createKey(dataDir, caller.site, ['stats:read']);
    await caller.pageview('ada', '/?utm_source=Newsletter');
    await caller.pageview('bob', '/=1+1');
    const who = { service_visitor_id: 'ada', customer_id: 'cus_1', email: 'ada@example.com' };
    await caller.payment({ ...who, amount: 30, currency: 'USD', transaction_id: 'p1' });
    await caller.payment({ amount: 12.5, currency: 'EUR', transaction_id: 'p2', product: '=2' });
    await caller.payment({ amount: 0, currency: 'USD', transaction_id: 'p3', renewal: true });
    await waitUntil(
      async () => (await caller.query({ metrics: ['visitors', 'payments'] })).body,
      (body) => JSON.stringify(body).includes('"metrics":[2,3]'),
    );
  });
  after(async () => {
    await server.stop();
    await door.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/api/v1/exports/${path}`, {
      headers: { authorization: `Bearer ${caller.key}`, ...headers },
    });
  async function rows(path: string, headers?: Record<string, string>) {
    const answer = await ask(path, headers);
    assert.equal(answer.status, 200);
    const lines = (await answer.text()).split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }
  /** A Parquet file's rows, as the engine reads them. */
  async function readParquet(bytes: Buffer, select: string) {
    const folder = mkdtempSync(join(tmpdir(), 'tributary-export-'));
    const path = join(folder, 'file.parquet');
    writeFileSync(path, bytes);
    const found = await door.ask(`SELECT ${select} FROM file('${path}', Parquet)`);
    rmSync(folder, { recursive: true });
    return found;
  }

  it('of personal data are in the audit log, with who, what and which period', async () => {
    await ask('persons?date_range=7d');
    await ask('visits');
    await ask('persons', { authorization: `Bearer ${reader}` });
    await ask('../payments?from=2026-11-01&to=2026-11-30', { accept: 'text/csv' });
    const accounts = new DatabaseSync(join(dataDir, 'accounts.sqlite'));
    const noted = accounts.prepare('SELECT who, site_id, about FROM audit WHERE what = ?');
    const entries = noted.all('personal data exported');
    accounts.close();
    assert.equal(entries.length, 2, 'not those without names or addresses');
    assert.match(String(entries[0]?.who), /^API key \w/);
    assert.deepEqual([entries[0]?.site_id === '', entries[0]?.about], [false, 'persons of 7d']);
    assert.equal(entries[1]?.about, 'payments of the list, paid 2026-11-01 to 2026-11-30');
  });

  it('of payments have them as the list has, with money as text', async () => {
    const payments = await rows('payments?format=ndjson');
    assert.deepEqual(
      payments.map((each) => [each.transaction_id, each.amount, each.currency, each.status]),
      [
        ['p3', '0.00', 'USD', 'trial'],
        ['p2', '12.50', 'EUR', 'paid'],
        ['p1', '30.00', 'USD', 'paid'],
      ],
    );
    assert.equal(payments[2]?.email, 'ada@example.com');
    assert.deepEqual([payments[2]?.source, payments[2]?.credited_visits], ['Newsletter', 1]);
    const csv = await (await ask('payments')).text();
    assert.match(csv, /"'=2"/);
    const file = Buffer.from(await (await ask('payments?format=parquet')).arrayBuffer());
    assert.deepEqual(
      await readParquet(
        file,
        "count(), sumIf(toDecimal64(amount, 2), currency = 'USD'), countIf(renewal)",
      ),
      [['3', '30', '1']],
    );
  });

  it('of persons have their ids and figures', async () => {
    const persons = await rows('persons?format=ndjson');
    const ada = persons.find(({ visitors }) => String(visitors) === 'ada');
    assert.deepEqual(
      [ada?.customer_ids, ada?.emails, ada?.revenue, ada?.payments, ada?.first_source],
      [['cus_1'], ['ada@example.com'], '30.00', 1, 'Newsletter'],
    );
    assert.equal(persons.length, 2);
    const file = Buffer.from(await (await ask('persons?format=parquet')).arrayBuffer());
    assert.deepEqual(await readParquet(file, 'count(), sum(pageviews), sum(visits)'), [
      ['2', '2', '2'],
    ]);
  });

  it('hide addresses and names from keys that may not see them', async () => {
    const headers = { authorization: `Bearer ${reader}` };
    for (const content of ['payments', 'persons', 'events']) {
      const found = await rows(`${content}?format=ndjson`, headers);
      assert.ok(found.length > 0);
      assert.doesNotMatch(JSON.stringify(found), /ada@example/);
      const names = Object.keys(found[0] ?? {});
      const personal = ['email', 'emails', 'name', 'click_id_value'];
      assert.deepEqual(
        names.filter((name) => personal.includes(name)),
        [],
      );
    }
  });

  it('have the rows of the period that queries have', async () => {
    const { body } = await caller.query({ metrics: ['events', 'visits'] });
    const { results } = body as { results: { metrics: number[] }[] };
    const all = [await rows('events?format=ndjson'), await rows('visits?format=ndjson')];
    assert.deepEqual(
      all.map(({ length }) => length),
      results[0]?.metrics,
    );
    const past = '?format=ndjson&from=2020-01-01&to=2020-01-31';
    for (const content of ['events', 'visits', 'payments', 'persons']) {
      assert.deepEqual(await rows(`${content}${past}`), [], content);
    }
  });

  it('refuse what they do not know, all at once', async () => {
    const answer = await ask('events?format=xls&bots=no&date_range=1d&from=2026-01-01');
    assert.equal(answer.status, 400);
    const { error } = (await answer.json()) as { error: { details: { path: string }[] } };
    const paths = error.details.map(({ path }) => path).toSorted();
    assert.deepEqual(paths, ['/bots', '/date_range', '/format', '/to']);
    assert.equal((await ask('sales')).status, 400);
    assert.equal((await ask('events?date_range=soon')).status, 400);
    assert.equal((await ask('events', { authorization: 'Bearer none' })).status, 401);
    const asShare = { authorization: '', 'x-share-token': 'abc' };
    assert.ok([401, 403].includes((await ask('events', asShare)).status));
  });

  it('are written by a command, under their name only once they are whole', async () => {
    const out = join(dataDir, 'visits.parquet');
    const env = { ...process.env, DATA_DIR: dataDir, CLICKHOUSE_URL: door.url };
    const run = (...args: string[]) =>
      promisify(execFile)(process.execPath, [MAIN, 'export', ...args, '--site', caller.site], {
        env,
      });
    const { stdout } = await run('visits', '--format', 'parquet', '--out', out, '--json');
    const { bytes, file } = JSON.parse(stdout) as { bytes: number; file: string };
    assert.deepEqual([bytes, file], [readFileSync(out).length, out]);
    assert.deepEqual(await readParquet(readFileSync(out), 'count()'), [['2']]);
    const { stdout: csv } = await run('events');
    assert.equal(csv.split('\r\n').length, 4);
    await assert.rejects(
      run('events', '--period', 'soon', '--out', join(dataDir, 'no.csv')),
      /not a date range/,
    );
    assert.ok(!existsSync(join(dataDir, 'no.csv')));
  });

  it('are cut off, and are no whole file, when the warehouse goes midway', async () => {
    const [[site = '']] = (await door.ask('SELECT any(site_id) FROM events')) as [[string]];
    await door.ask(`INSERT INTO events (site_id, occurred_at, sent_accepted_at, sent_event_id, type, visitor_id, path)
      SELECT '${site}', now64(3) - number, now64(3), generateUUIDv7(), 'pageview', toString(number), '/' FROM numbers(${MANY})`);
    const answer = await ask('events?format=parquet');
    const stream = (answer.body as ReadableStream<Uint8Array>).getReader();
    await stream.read();
    door.shut();
    const rest = async () => {
      while (!(await stream.read()).done);
    };
    await assert.rejects(rest(), /terminated/);
    assert.equal((await ask('events')).status, 503);
    door.open();
    await waitUntil(
      () => ask('visits'),
      ({ status }) => status === 200,
    );
  });

  it('stop when their caller disconnects', async () => {
    const hangUp = new AbortController();
    const answer = await fetch(`${server.url}/api/v1/exports/events`, {
      headers: { authorization: `Bearer ${caller.key}` },
      signal: hangUp.signal,
    });
    await answer.body?.getReader().read();
    hangUp.abort();
    await waitUntil(
      () =>
        door.ask(
          "SELECT count() FROM system.processes WHERE query LIKE '%c0 AS event_id%' AND query NOT LIKE '%processes%'",
        ),
      (found) => found[0]?.[0] === '0',
    );
  });
});
