import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ClickHouseError } from '@clickhouse/client';
import type { Session } from 'chdb';
import { readEventLine, toLineOpening, toLineTail } from '#contract/rows/event-lines.ts';
import type { EventRow } from '#contract/rows/event-row.ts';
import { applySchema } from '../apply-schema.ts';
import { createWarehouse, type Warehouse } from '../client/client.ts';
import { findVisitors } from '../events/find-visitors.ts';
import { INSERTED_COLUMNS } from '../tables/events.ts';
import { createEngineServer, type EngineServer } from './engine-server.ts';
import { HEARTBEAT_PATH } from './heartbeat-path.ts';
import { openEngine } from './open-engine.ts';

describe('the embedded engine behind the ClickHouse client', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-engine-'));
  let engine: Session;
  let pulse: Session;
  let lookups: Session;
  let engineServer: EngineServer;
  let warehouse: Warehouse;

  before(async () => {
    engine = await openEngine(join(folder, 'warehouse'));
    pulse = await openEngine(join(folder, 'warehouse'));
    lookups = await openEngine(join(folder, 'warehouse'));
    const sessions = { writes: [engine], lookups: [lookups], queries: [pulse] };
    engineServer = createEngineServer(sessions, pulse, { folder });
    const socketPath = join(folder, 'e.sock');
    await new Promise<void>((resolve) => engineServer.http.listen(socketPath, resolve));
    warehouse = createWarehouse({ kind: 'embedded', socketPath });
    await applySchema(warehouse);
  });
  after(async () => {
    await warehouse.close();
    await engineServer.drain();
    pulse.close();
    lookups.close();
    engine.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('answers a heartbeat while long queries occupy all sessions', async () => {
    const long = Array.from({ length: 3 }, () =>
      warehouse
        .select({ sql: 'SELECT sum(sleepEachRow(0.1)) FROM numbers(12)' })
        .then(() => performance.now()),
    );
    const beat = await new Promise<number>((resolve, reject) => {
      request({ socketPath: join(folder, 'e.sock'), path: HEARTBEAT_PATH }, (response) => {
        response.resume();
        response.on('end', () => resolve(performance.now()));
      })
        .on('error', reject)
        .end();
    });
    const ends = await Promise.all(long);
    assert.ok(beat < Math.min(...ends), 'the heartbeat came back before any long query');
  });

  it('writes and looks up while long queries occupy all sessions, all with parameters', async () => {
    const ask = (sql: string) =>
      warehouse.select({ sql, params: { site: 'lanes' } }, { isReport: true });
    const long = Array.from({ length: 3 }, () =>
      ask("SELECT sum(sleepEachRow(0.1)) FROM numbers(20) WHERE {site:String} != ''").then(() =>
        performance.now(),
      ),
    );
    await warehouse.insertLines('events', Buffer.from('["1","lanes"]\n'));
    const rows = await warehouse.select<{ n: string }>({
      sql: 'SELECT count() AS n FROM events WHERE site_id = {site:String}',
      params: { site: 'lanes' },
    });
    const doneAt = performance.now();
    assert.deepEqual(rows, [{ n: '1' }]);
    const ends = await Promise.all(long);
    assert.ok(doneAt < Math.min(...ends), 'neither waited for the queries');
  });

  const hostileTexts = [
    "it's",
    'a\\b',
    "\\'",
    'tab\there',
    'line\nbreak',
    '',
    '[1,2]',
    '日本語 🧾',
    '{a:String}',
  ];
  for (const text of hostileTexts) {
    it(`binds ${JSON.stringify(text)} as it is, alone and in an array`, async () => {
      const rows = await warehouse.select<{ one: string; many: string[] }>({
        sql: 'SELECT {one:String} AS one, {many:Array(String)} AS many',
        params: { one: text, many: [text, 'second', text] },
      });
      assert.deepEqual(rows, [{ one: text, many: [text, 'second', text] }]);
    });
  }

  it('binds an empty array and numbers', async () => {
    const rows = await warehouse.select({
      sql: 'SELECT {none:Array(String)} AS none, {n:Int64} AS n, {list:Array(UInt32)} AS list',
      params: { none: [], n: '9007199254740993', list: [1, 2] },
    });
    assert.deepEqual(rows, [{ none: [], n: '9007199254740993', list: [1, 2] }]);
  });

  it('reads each column of events from its position in a line, and defaults if it is missing', async () => {
    const columns = await warehouse.select<{ name: string }>({
      sql: `SELECT name FROM system.columns WHERE database = currentDatabase() AND table = 'events'
        AND default_kind NOT IN ('MATERIALIZED', 'ALIAS') AND default_expression NOT LIKE '%sent_%'`,
    });
    assert.deepEqual(INSERTED_COLUMNS.toSorted(), columns.map(({ name }) => name).toSorted());

    const short: EventRow = {
      ...{ site_id: 's', occurred_at: START, accepted_at: START, event_id: visitIdOf(1) },
      ...{ type: 'goal', visitor_id: 'v-short' },
    };
    const long: EventRow = {
      ...{ ...short, visitor_id: 'v-long', event_id: 'ffffffff-ffff-4fff-bfff-fffffffffffe' },
      ...{
        user_id: 'ü"\\',
        props: { a: 'b' },
        source: 'Google',
        content: "it's",
        channel: 'Email',
      },
      ...{ city: 'Århus', language: 'da', screen_width: 65_535 },
    };
    const lines = [short, long].map((row) => toLineOpening(9) + toLineTail(row));
    await warehouse.insertLines('events', Buffer.from(lines.join('')));
    const rows = await warehouse.select({
      sql: `SELECT visitor_id, extends_visit, visit_started_at, hostname, props, user_id,
          event_id, source, medium, content, channel, country, city, language, screen_width
        FROM events WHERE batch_id = 9 ORDER BY visitor_id`,
    });
    const none = { source: '', medium: '', content: '', channel: '', country: '', city: '' };
    const noMore = { language: '', screen_width: 0, hostname: '', props: {}, user_id: '' };
    const shared = { extends_visit: 1, visit_started_at: '1970-01-01 00:00:00.000' };
    const { site_id, occurred_at, accepted_at, type, ...ofLong } = long;
    assert.deepEqual(rows, [
      { ...shared, ...none, ...noMore, ...ofLong },
      { ...shared, ...none, ...noMore, visitor_id: 'v-short', event_id: short.event_id },
    ]);
    assert.deepEqual(lines.map(readEventLine), [
      { batch_id: '9', ...short },
      { batch_id: '9', ...long },
    ]);
  });

  it('binds more text than a statement may have by default', async () => {
    const many = Array.from({ length: 50_000 }, (_, index) => `visitor-${index}`);
    const rows = await warehouse.select<{ n: string }>({
      sql: 'SELECT length({many:Array(String)}) AS n',
      params: { many },
    });
    assert.deepEqual(rows, [{ n: '50000' }]);
  });

  it('inserts the same lines with the same token once, views included', async () => {
    const lines = Buffer.from(toLineOpening(7) + toLineTail(pageview('v-once', 1)));
    await warehouse.insertLines('events', lines, 'token-1');
    await warehouse.insertLines('events', lines, 'token-1');
    const [row] = await warehouse.select<{ events: string; pageviews: string }>({
      sql: `SELECT (SELECT count() FROM events WHERE visitor_id = 'v-once') AS events,
        (SELECT sum(pageviews) FROM visits FINAL WHERE visitor_id = 'v-once') AS pageviews`,
    });
    assert.deepEqual(row, { events: '1', pageviews: '1' });
  });

  it('finds a visitor with the latest visit, and no unknown visitor', async () => {
    const lines = [pageview('v-known', 1), pageview('v-known', 2)]
      .map((row) => toLineOpening(8) + toLineTail(row))
      .join('');
    await warehouse.insertLines('events', Buffer.from(lines));
    const [known, stranger] = await findVisitors(warehouse, [
      { siteId: 'site_1', visitorId: 'v-known' },
      { siteId: 'site_2', visitorId: 'v-known' },
    ]);
    assert.deepEqual(known, {
      botClass: '',
      hasPageview: true,
      visitId: visitIdOf(2),
      visitStartedAt: START + 2_000,
      lastEventAt: START + 2_000,
      visitClass: { botClass: '', botReason: '' },
    });
    assert.equal(stranger, undefined);
  });

  it('passes on the engine’s own error, with its type', async () => {
    await assert.rejects(
      warehouse.select({ sql: 'SELECT nonsense' }),
      (error) => error instanceof ClickHouseError && error.type === 'UNKNOWN_IDENTIFIER',
    );
  });

  it('stops a query that exceeds its limits of rows, memory or time', async () => {
    const cases = [
      ['SELECT count() FROM numbers(1000000) WHERE number % 3 = 1', { readRows: 10 }, 'rows'],
      ['SELECT groupArray(number) FROM numbers(50000000)', { memoryBytes: 20_000_000 }, 'memory'],
      [
        'SELECT sum(cityHash64(number)) FROM numbers(100000000000)',
        { durationMs: 100, readRows: 1e12 },
        'duration',
      ],
      ["SELECT match(toString(number), '(') FROM numbers(1)", {}, 'regular_expression'],
      [`SELECT [${'1 + 1, '.repeat(20_000)}1]`, {}, 'size'],
      [`SELECT ${'1 + '.repeat(5_000)}1`, {}, 'size'],
    ] as const;
    for (const [sql, limits, reason] of cases) {
      const refused = { name: 'RefusedQueryError', reason };
      await assert.rejects(warehouse.select({ sql }, limits), refused);
    }
  });

  it('spills to disk when a report query exceeds its memory', async () => {
    const sql = `SELECT toUInt32(sum(length(found))) AS numbers FROM (
      SELECT number % 2000000 AS one, groupArray(number) AS found FROM numbers(4000000) GROUP BY one)`;
    const limits = { memoryBytes: 100_000_000, threadsMax: 2, durationMs: 55_000 };
    await assert.rejects(warehouse.select({ sql }, limits), { reason: 'memory' });
    const rows = await warehouse.select({ sql }, { ...limits, isReport: true });
    assert.deepEqual(rows, [{ numbers: 4_000_000 }]);
  });
});

const START = Date.UTC(2026, 0, 2, 3, 4, 5);

function visitIdOf(n: number): string {
  return `019b7d5e-0000-7000-8000-00000000000${n}`;
}

function pageview(visitorId: string, n: number): EventRow {
  return {
    site_id: 'site_1',
    occurred_at: START + n * 1_000,
    accepted_at: START + n * 1_000,
    event_id: `019b7d5e-0000-7000-9000-00000000000${n}`,
    type: 'pageview',
    visitor_id: visitorId,
    visit_id: visitIdOf(n),
    visit_started_at: START + n * 1_000,
    path: `/${n}`,
  };
}
