import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addSite, createKey } from '../../server/add-site.ts';
import { type RefusingServer, SITE, shareRefusingServer } from './refusing-server.ts';

const OTHER = 'other-mcp.example';

describe('the tools for assistants refuse', () => {
  let tributary: RefusingServer;
  let key: string;

  before(async () => {
    tributary = await shareRefusingServer();
    const { dataDir } = tributary.server;
    await addSite(dataDir, OTHER);
    key = await createKey(dataDir, SITE, ['stats:read']);
  });
  after(() => tributary?.stop());

  /** Sends one message as any program may, without the protocol's client. */
  async function post(
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
    path = '/mcp',
  ): Promise<{ status: number; body: { error?: { message: string }; result?: Result } }> {
    const answer = await fetch(`${tributary.server.url}${path}`, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? {} : JSON.parse(text) };
  }
  type Result = { readonly isError?: boolean; readonly content: readonly { text: string }[] };

  const message = (method: string, params: unknown) => ({ jsonrpc: '2.0', id: 1, method, params });
  async function refusal(name: string, sent: unknown): Promise<string> {
    const { status, body } = await post(message('tools/call', { name, arguments: sent }));
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.result?.isError, true, JSON.stringify(body));
    const line = body.result?.content[0]?.text ?? '';
    assert.doesNotMatch(line, /\n/);
    assert.ok(line.length < 5_000, `${line.length} characters`);
    return line;
  }

  const METRICS = { metrics: ['visitors'] };
  const cases: readonly (readonly [string, string, unknown, RegExp])[] = [
    ['an unknown tool', 'drop_tables', {}, /^There is no such tool\. Tools: list_sites, /],
    ['an unknown argument', 'query', { ...METRICS, sql: '1' }, /^sql: is unknown; known are /],
    ['another’s list', 'list_sites', { site: OTHER }, /^The key belongs to another site\.$/],
    ['an unknown metric', 'query', { metrics: ['x'] }, /"x" is not a metric.*revenue/],
    ['a missing argument', 'query', {}, /^metrics: is required\.$/],
    ['too many rows', 'query', { ...METRICS, limit: 1e6 }, /^limit: must be at most 100\.$/],
    ['a wrong period', 'query', { ...METRICS, date_range: 'ever' }, /"ever" is not a date range/],
    ['half a period', 'query', { ...METRICS, date_range: ['2026-01-01'] }, /^date_range: must be /],
    ['a wrong order', 'query', { ...METRICS, order_by: [['visitors', 'up']] }, /^order_by\/0\/1: /],
    ['SQL', 'query', { ...METRICS, dimensions: ["visit:source' OR 1=1"] }, /is not a dimension/],
    ['a dear pattern', 'query', { ...METRICS, filters: dear() }, /filters/],
    ['another’s site', 'query', { ...METRICS, site: OTHER }, /^The key belongs to another site\.$/],
    ['no site', 'live', { site: 'nobody.example' }, /^The key belongs to another site\.$/],
    ['no text', 'explain_payment', { transaction_id: 'a\0b' }, /must not contain NUL/],
    [
      'a prototype',
      'query',
      JSON.parse('{"__proto__":{"metrics":["visitors"]}}'),
      /^metrics: is required/,
    ],
    [
      'one step',
      'funnel',
      { steps: [{ type: 'page', path: '/' }] },
      /^steps: must have at least 2/,
    ],
    [
      'many faults',
      'query',
      Object.fromEntries(range(60).map((i) => [`f${i}`, i])),
      /and 5\d more/,
    ],
  ];
  for (const [what, name, sent, expected] of cases) {
    it(`${what}, in one line`, async () => assert.match(await refusal(name, sent), expected));
  }

  it('what is not one message, as every endpoint does', async () => {
    const list = message('tools/list', {});
    const statusOf = async (...sent: Parameters<typeof post>) => (await post(...sent)).status;
    assert.equal(await statusOf('{'), 400);
    assert.equal(await statusOf([list, list]), 400, 'a batch');
    for (const sent of [null, ['visitors'], 'visitors']) {
      const call = message('tools/call', { name: 'query', arguments: sent });
      const { status, body } = await post(call);
      assert.equal(status, 400);
      assert.match(body.error?.message ?? '', /params\.arguments must be an object\.$/);
    }
    assert.equal(await statusOf('['.repeat(60_000)), 400);
    assert.equal(await statusOf(' '.repeat(70_000)), 413);
    assert.equal(await statusOf(list, { 'content-type': 'text/plain' }), 415);
    assert.equal(await statusOf(list), 200);
    assert.equal((await fetch(`${tributary.server.url}/mcp`)).status, 405);
  });

  it('who has no key of a site that may read, and pages of other origins', async () => {
    const list = message('tools/list', {});
    const { dataDir } = tributary.server;
    const writer = await createKey(dataDir, SITE, ['goals:write']);
    const as = async (headers: Readonly<Record<string, string>>) =>
      (await post(list, headers)).status;
    assert.equal(await as({ authorization: 'Bearer trib_none' }), 401);
    assert.equal(await as({ authorization: '' }), 401);
    assert.equal(await as({ authorization: `Bearer ${writer}` }), 403);
    const host = new URL(tributary.server.url).host;
    assert.equal(await as({ origin: 'https://evil.example' }), 403);
    assert.equal(await as({ origin: 'http://evil.example', host: 'evil.example' }), 403);
    assert.equal(await as({ origin: 'null' }), 403);
    assert.equal(await as({ origin: `http://${host}` }), 200);
  });

  it('nothing that is whole afterwards', async () => {
    const { body } = await post(message('tools/call', { name: 'list_sites' }));
    assert.equal(body.result?.isError, false, JSON.stringify(body));
  });
});

function dear(): unknown {
  return [['matches', 'visit:source', [`${'(a|b)*'.repeat(40)}c`.repeat(30)]]];
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
