import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { DAY_MS } from '#domain/time/durations.ts';
import { createKey } from '../../server/add-site.ts';
import { signInAsOwner } from '../../server/browser-calls.ts';
import { callerOf } from '../../server/caller.ts';
import { MAIN } from '../../server/program.ts';
import { makeDataDir, runCli, startServer, type TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

type Demo = {
  readonly site_id: string;
  readonly domain: string;
  readonly from: string;
  readonly until: string;
  readonly visitors: number;
  readonly visits: number;
  readonly pageviews: number;
  readonly payments: number;
  readonly gross_revenue: object;
  readonly refunds: object;
  readonly revenue: object;
};

const toDay = (at: number) => new Date(at).toISOString().slice(0, 10);
const YESTERDAY = toDay(Date.now() - DAY_MS);
const DEMO = ['demo', '--visitors', '1500', '--days', '29', '--until', YESTERDAY] as const;

describe('the command demo', () => {
  let server: TestServer;
  let demo: Demo;

  before(async () => {
    server = await startServer();
    demo = await runCli<Demo>(DEMO, server.dataDir);
  });
  after(async () => {
    await server?.stop();
    server?.cleanUp();
  });

  it('says what it added', () => {
    assert.equal(demo.domain, 'demo.example');
    assert.equal(demo.from, toDay(Date.parse(YESTERDAY) - 29 * DAY_MS));
    assert.equal(demo.until, YESTERDAY);
    assert.ok(demo.visitors > 1_400 && demo.visitors < 1_500);
    assert.ok(demo.payments > 20);
  });

  it('ends when queries show what it added, to the cent', async () => {
    const METRICS = ['visitors', 'visits', 'pageviews', 'payments'] as const;
    const MONEY = ['gross_revenue', 'refunds', 'revenue'] as const;
    const expected = [...METRICS, ...MONEY].map((name) => demo[name]);
    const key = await createKey(server.dataDir, demo.domain);
    const caller = callerOf(server.url, demo.domain, key);
    const { body } = await waitUntil(
      () => caller.query({ metrics: [...METRICS, ...MONEY], date_range: 'all' }),
      ({ status }) => status !== 401, // The server learns of a key within a second.
    );
    const { results } = body as { results: { metrics: unknown[] }[] };
    assert.deepEqual(results[0]?.metrics, expected);
  });

  it('has visitors of several countries, browsers, devices and channels, and robots', async () => {
    const key = await createKey(server.dataDir, demo.domain);
    const caller = callerOf(server.url, demo.domain, key);
    const namesOf = async (dimension: string) => {
      const { body } = await waitUntil(
        () => caller.query({ metrics: ['visits'], dimensions: [dimension] }),
        ({ status }) => status === 200,
      );
      const { results } = body as { results: { dimensions: string[] }[] };
      return new Set(results.map(({ dimensions }) => dimensions[0] ?? ''));
    };
    const expected = {
      'visit:country': ['DE', 'AT', 'FR', 'NL', 'GB', 'CH'],
      'visit:browser': ['Chrome', 'Safari', 'Firefox', 'Edge', 'Samsung Internet'],
      'visit:device': ['desktop', 'mobile', 'tablet'],
      'visit:channel': ['Direct', 'Organic Search', 'Paid Search', 'Email', 'AI Assistants'],
      'visit:bot_class': ['(none)', 'ai', 'declared'],
    };
    for (const [dimension, names] of Object.entries(expected)) {
      const found = await namesOf(dimension);
      assert.deepEqual(
        names,
        names.filter((name) => found.has(name)),
        dimension,
      );
    }
  });

  it('leaves no key of its own that still serves', async () => {
    const keys = await runCli<{ name: string; state: string }[]>(
      ['key', 'list', '--site', demo.domain],
      server.dataDir,
    );
    assert.deepEqual(
      keys.filter(({ name }) => name === 'demo').map(({ state }) => state),
      ['revoked'],
    );
  });

  it('refuses to tell the same story twice on one site', async () => {
    await assert.rejects(runCli(DEMO, server.dataDir), /site remove demo\.example/);
  });

  it('says that it was killed before the shop was full, and the shop is filled again or removed', async () => {
    const anna = await signInAsOwner(server);
    const call = async (method: string) => (await anna.call(method, '/api/v1/demo')).body;
    assert.equal((await call('GET')).state, 'ready');
    assert.equal((await call('DELETE')).state, 'none');
    const env = { ...process.env, DATA_DIR: server.dataDir };
    const killed = fork(MAIN, ['demo', '--visitors', '100000'], { env, silent: true });
    await once(killed, 'message'); // Some visitors are sent.
    killed.kill('SIGKILL');
    await once(killed, 'close');
    const half = await waitUntil(
      () => call('GET'),
      ({ state }) => state !== 'none', // The server learns of a site within a second.
    );
    assert.equal(half.state, 'failed');
    assert.match(half.message, /^The demo shop is incomplete: .* Fill it again, or remove it\.$/);
    await assert.rejects(runCli(DEMO, server.dataDir), /is incomplete.*site remove demo\.example/);
    assert.equal((await call('POST')).state, 'filling');
    assert.equal((await call('DELETE')).state, 'none');
  });

  it('refuses a last day that is none, or is not over', async () => {
    for (const until of ['2026-02-30', 'yesterday', toDay(Date.now() + DAY_MS)]) {
      await assert.rejects(
        runCli(['demo', '--until', until], server.dataDir),
        /a day that is over/,
      );
    }
  });

  it('tells the same story anywhere, and brings a server where none runs', async () => {
    const dataDir = makeDataDir();
    const again = await runCli<Demo>(DEMO, dataDir);
    assert.deepEqual({ ...again, site_id: '' }, { ...demo, site_id: '' });
  });
});
