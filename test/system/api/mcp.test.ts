import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { QueryAnswer } from '#contract/query.ts';
import { ATTRIBUTION_MODELS } from '#domain/attribution/models.ts';
import { MINUTE_MS } from '#domain/time/durations.ts';
import { addSite, createKey } from '../../server/add-site.ts';
import { type Caller, callerOf } from '../../server/caller.ts';
import { MAIN } from '../../server/program.ts';
import { shareServer } from '../../server/share-server.ts';
import type { TestServer } from '../../server/start-server.ts';
import { connectOverHttp, connectOverStdio, type ToolCaller } from '../../server/tool-caller.ts';
import { waitUntil } from '../../server/wait-until.ts';

const SITE = 'mcp.example';
const NOW = Date.now();
/** Where tomorrow begins ten hours before UTC's. */
const ZONE = 'Pacific/Kiritimati';
const OTHERS = 30;

type Table = {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly totals: readonly unknown[];
  readonly currency?: string;
  readonly more?: string;
  readonly timezone: string;
  readonly period: readonly [string, string];
};

/**
 * What happened within the last hours:
 *
 * ```
 * 3:00 ago  ann  from Newsletter: /pricing; a minute later signup, then pays 30.00 (tx-1)
 * 2:00      ann  from Google: /
 * 1:50      ann  pays 12.34 (tx-2)
 * 1:00      30 others, each from a source of its own: /
 * 0:30      somebody pays 5.00 without a visitor (tx-3)
 * ```
 */
describe('the tools for assistants', () => {
  let tributary: TestServer;
  let caller: Caller;
  let http: ToolCaller;
  let key: string;

  before(async () => {
    tributary = await shareServer();
    const { dataDir, url } = tributary;
    await addSite(dataDir, SITE, { timezone: ZONE });
    caller = callerOf(url, SITE, await createKey(dataDir, SITE));
    key = await createKey(dataDir, SITE, ['stats:read']);
    await waitUntil(
      () => send('ann', 180, '/pricing', 'Newsletter'),
      ({ status }) => status === 200,
    );
    await send('ann', 179, 'signup');
    await pay({ transaction_id: 'tx-1', amount: 30, service_visitor_id: 'ann' }, 178);
    await send('ann', 120, '/', 'Google');
    await pay({ transaction_id: 'tx-2', amount: 12.34, service_visitor_id: 'ann' }, 110);
    for (let index = 0; index < OTHERS; index += 1) {
      await send(`other-${index}`, 60, '/', `Source ${index}`);
    }
    await pay({ transaction_id: 'tx-3', amount: 5, email: 'no@body.example' }, 30);
    http = await connectOverHttp(url, key);
    await waitUntil(
      () => http.call<Table>('query', { metrics: ['visits', 'gross_revenue'], date_range: '2d' }),
      ({ totals }) => totals.join() === `${OTHERS + 2},47.34`,
    );
  });
  after(() => http?.close());

  function send(visitor: string, minutesAgo: number, what: string, source?: string) {
    const url = new URL(what.startsWith('/') ? what : '/pricing', `https://${SITE}`);
    if (source !== undefined) url.searchParams.set('utm_source', source);
    return caller.post('/api/v1/events', {
      ...{ site: SITE, service_visitor_id: visitor, url: url.href },
      occurred_at: NOW - minutesAgo * MINUTE_MS,
      ...(what.startsWith('/') ? { type: 'pageview' } : { type: 'goal', name: what }),
    });
  }
  async function pay(payment: object, minutesAgo: number): Promise<void> {
    const timestamp = new Date(NOW - minutesAgo * MINUTE_MS).toISOString();
    await caller.payment({ currency: 'USD', timestamp, ...payment });
  }

  it('are listed with schemas that hold, and only those that the key may call', async () => {
    const { tools } = await http.client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      [
        ...['list_sites', 'describe_schema', 'query', 'compare_attribution', 'explain_payment'],
        ...['funnel', 'retention', 'insights', 'live', 'verify_install'],
      ],
    );
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
    for (const { inputSchema, annotations } of tools) {
      ajv.compile(inputSchema);
      assert.equal(annotations?.readOnlyHint, true);
    }
    assert.ok(JSON.stringify(tools).length < 20_000, `${JSON.stringify(tools).length} characters`);
  });

  it('know the site of the key, and today there', async () => {
    const { sites } = await http.call<{ sites: { domain: string; today: string }[] }>('list_sites');
    const today = Temporal.Now.zonedDateTimeISO(ZONE).toPlainDate().toString();
    assert.deepEqual(
      sites.map(({ domain, today: day }) => [domain, day]),
      [[SITE, today]],
    );
  });

  it('describe what can be asked, and the goals that there are', async () => {
    const schema = await http.call<Record<string, readonly string[]>>('describe_schema');
    assert.ok(schema.metrics?.includes('revenue: Revenue (money)'));
    assert.ok(schema.dimensions?.includes('visit:source: Source'));
    assert.deepEqual(schema.goals, ['signup']);
  });

  it('answer by page and by goal with totals of everything, because these rows overlap', async () => {
    const ask = (metric: string, dimension: string) =>
      http.call<Table>('query', { metrics: [metric], dimensions: [dimension], date_range: '2d' });
    const pages = await ask('visitors', 'event:page');
    assert.deepEqual(pages.rows, [
      ['/', OTHERS + 1],
      ['/pricing', 1],
    ]);
    assert.deepEqual(pages.totals, [null, OTHERS + 1], 'not the sum of the rows');
    const { rows } = await ask('conversions', 'event:goal');
    assert.deepEqual(rows, [['signup', 1]]);
  });

  it('answer a query as the API does, with few rows and all totals', async () => {
    const asked = { metrics: ['visitors', 'revenue'], dimensions: ['visit:source'] };
    const table = await http.call<Table>('query', { ...asked, date_range: '2d' });
    const sent = { ...asked, include: { totals: true }, pagination: { limit: 25 } };
    const { body } = await caller.query({ ...sent, date_range: '2d' });
    const answer = body as QueryAnswer;
    const plain = (values: readonly unknown[]) =>
      values.map((value) => (value as { value?: string } | null)?.value ?? value);
    assert.deepEqual(table.columns, ['visit:source', 'visitors', 'revenue']);
    assert.deepEqual(
      table.rows,
      answer.results.map(({ dimensions, metrics }) => [...dimensions, ...plain(metrics)]),
    );
    assert.deepEqual(table.totals, [null, ...plain(answer.totals?.metrics ?? [])]);
    assert.deepEqual([table.currency, table.totals[2]], ['USD', '47.34']);
    assert.equal(table.rows.length, 25);
    assert.match(table.more ?? '', /^25 of \d\d rows are shown\./);
  });

  it('mean the site’s own days', async () => {
    const { period, timezone } = await http.call<Table>('query', {
      ...{ metrics: ['visitors'], date_range: 'today' },
    });
    const today = Temporal.Now.zonedDateTimeISO(ZONE).toPlainDate();
    assert.deepEqual(period, [
      `${today}T00:00:00+14:00`,
      `${today.add({ days: 1 })}T00:00:00+14:00`,
    ]);
    assert.equal(timezone, ZONE);
  });

  it('compare a metric by every model', async () => {
    const table = await http.call<Table>('compare_attribution', { date_range: '2d' });
    assert.deepEqual(table.columns, [
      'visit:source',
      ...ATTRIBUTION_MODELS.map((model) => `revenue:${model}`),
    ]);
    const newsletter = table.rows.find(([source]) => source === 'Newsletter');
    assert.deepEqual(newsletter?.slice(1, 3), ['42.34', '30.00'], 'by first and by last touch');
  });

  it('explain where a payment came from, or why from nowhere', async () => {
    type Explained = {
      readonly payment: { readonly state: string; readonly email?: string };
      readonly not_attributed_because?: string;
      readonly rows: readonly { readonly source: string; readonly revenue: { value: string } }[];
    };
    const ask = (transaction_id: string, model: string) =>
      http.call<Explained>('explain_payment', { transaction_id, model });
    const sourcesOf = async (model: string) =>
      (await ask('tx-2', model)).rows.map(({ source, revenue }) => `${source} ${revenue.value}`);
    assert.deepEqual(await sourcesOf('first_touch'), ['Newsletter 12.34']);
    assert.deepEqual(await sourcesOf('last_touch'), ['Google 12.34']);
    assert.deepEqual(await sourcesOf('linear'), ['Newsletter 6.17', 'Google 6.17']);
    const unknown = await ask('tx-3', 'linear');
    assert.deepEqual([unknown.payment.state, unknown.rows], ['no_visitor', []]);
    assert.match(unknown.not_attributed_because ?? '', /service_visitor_id/);
    assert.equal(unknown.payment.email, undefined);
    const none = await http.refusal('explain_payment', { transaction_id: 'tx-9' });
    assert.equal(none, 'There is no payment tx-9.');
  });

  it('count funnels, cohorts and who is there now', async () => {
    const steps = [
      { type: 'page', path: '/pricing' },
      { type: 'goal', name: 'signup' },
    ];
    const { rows } = await http.call<{ rows: { steps: { reached: number }[] }[] }>('funnel', {
      ...{ steps, date_range: '2d' },
    });
    assert.deepEqual(
      rows[0]?.steps.map(({ reached }) => reached),
      [1, 1],
    );
    const { overall } = await http.call<{ overall: { size: number } }>('retention');
    assert.equal(overall.size, OTHERS + 1);
    const { rows: said, weeks_needed } = await http.call<Table & { weeks_needed: number }>(
      'insights',
    );
    assert.deepEqual([said, weeks_needed], [[], 4], 'a site of today has no weeks before');
    const now = await http.call<{ visitors: Record<string, number> }>('live');
    assert.equal(now.visitors.last_30_minutes, 0, 'the last one was an hour ago');
  });

  it('change something only by a key that may', async () => {
    assert.equal(
      await http.refusal('annotate', { text: 'Release 2' }),
      'The key lacks the scope annotations:write.',
    );
    const writer = await createKey(tributary.dataDir, SITE, ['stats:read', 'annotations:write']);
    const assistant = await waitUntil(
      () => connectOverHttp(tributary.url, writer).catch(() => undefined),
      (connected) => connected !== undefined,
    );
    const { tools } = (await assistant?.client.listTools()) ?? { tools: [] };
    assert.equal(tools.find(({ name }) => name === 'annotate')?.annotations?.readOnlyHint, false);
    await assistant?.call('annotate', { text: 'Release 2' });
    await assistant?.close();
    const list = await fetch(`${tributary.url}/api/v1/sites/${SITE}/annotations`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const { annotations } = (await list.json()) as { annotations: { at: string; text: string }[] };
    const today = Temporal.Now.zonedDateTimeISO(ZONE).toPlainDate().toString();
    assert.deepEqual(
      annotations.map(({ at, text }) => [at, text]),
      [[today, 'Release 2']],
    );
  });

  for (const mode of ['legacy', 'auto'] as const) {
    it(`are the same over HTTP and over stdin, for clients of the ${mode} protocol`, async () => {
      const { url } = tributary;
      const piped = await connectOverStdio(['--url', url], { TRIBUTARY_KEY: key }, mode);
      const direct = await connectOverHttp(url, key, mode);
      try {
        assert.deepEqual(await piped.client.listTools(), await direct.client.listTools());
        const asked = { metrics: ['visits', 'revenue'], date_range: '2d' };
        assert.deepEqual(await piped.call('query', asked), await direct.call('query', asked));
        assert.equal(
          await piped.refusal('query', { metrics: ['sparkle'] }),
          await direct.refusal('query', { metrics: ['sparkle'] }),
        );
      } finally {
        await piped.close();
        await direct.close();
      }
    });
  }

  it('find the server of DATA_DIR by themselves, and say in one line what is wrong', async () => {
    const { dataDir, url } = tributary;
    const found = await connectOverStdio([], { DATA_DIR: dataDir, TRIBUTARY_KEY: key });
    await found.call('list_sites');
    await found.close();
    const locked = await connectOverStdio(['--url', `${url}/mcp`], { TRIBUTARY_KEY: 'trib_none' });
    assert.equal(
      await locked.refusal('list_sites'),
      `The server at ${url} refused: A valid API key is required: Authorization: Bearer trib_…`,
    );
    await locked.close();
    const lost = await connectOverStdio(['--url', 'http://127.0.0.1:9'], { TRIBUTARY_KEY: key });
    assert.match(
      await lost.refusal('list_sites'),
      /^The server at http:\/\/127\.0\.0\.1:9 does not answer: /,
    );
    await lost.close();
  });

  it('answer everything that stdin held before it ended', async () => {
    const { dataDir } = tributary;
    const client = { protocolVersion: '2025-06-18', capabilities: {} };
    const messages = [
      {
        id: 1,
        method: 'initialize',
        params: { ...client, clientInfo: { name: 'a', version: '1' } },
      },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/list' },
      {
        id: 3,
        method: 'tools/call',
        params: { name: 'query', arguments: { metrics: ['visits'] } },
      },
    ];
    const child = spawn(process.execPath, [MAIN, 'mcp'], {
      env: { PATH: process.env.PATH, DATA_DIR: dataDir, TRIBUTARY_KEY: key },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin.end(
      messages.map((each) => `${JSON.stringify({ jsonrpc: '2.0', ...each })}\n`).join(''),
    );
    const answers = (await text(child.stdout)).trim().split('\n');
    const ids = answers
      .map((line) => JSON.parse(line))
      .map(({ id, result }) => [id, result !== undefined]);
    assert.deepEqual(ids.toSorted(), [
      [1, true],
      [2, true],
      [3, true],
    ]);
  });
});
