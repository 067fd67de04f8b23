import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { addRoutes, type RouteParts } from '#app/add-routes.ts';
import { createServer } from '#server/create-server.ts';
import { createMetrics } from '#server/metrics.ts';

/** An answer for any kind of query, without rows. */
const ANSWER = {
  ok: true,
  value: { results: [], meta: {}, query: { metrics: [], dimensions: [] } },
};
const KIND = {
  answer: async () => ANSWER,
  answerFile: async () => ({ ok: true, value: Buffer.from('PAR1') }),
  findMoreFaults: () => [],
};
const SCOPES = ['events:write', 'stats:read', 'visitors:read'];

describe('an answer to a query', () => {
  let seconds = 0;
  let url: string;
  let server: ReturnType<typeof createServer>;
  before(async () => {
    const settings = {
      ...{ baseUrl: undefined, trustedProxies: [], logLevel: 'silent', connectionsMax: 10 },
      ...{ rateLimitReads: 0, rateLimitWrites: 0 },
    };
    const kinds = ['breakdowns', 'funnel', 'journeys', 'retention', 'mrr', 'ltv', 'purchasePaths'];
    server = createServer(settings);
    await addRoutes(server, {
      settings,
      ledger: {
        findKey: () => ({ id: 'key_1', siteId: 'site_1', scopes: SCOPES }),
        findSite: () => ({ id: 'site_1', domain: 'a.example' }),
      },
      accounts: {},
      reports: {
        ...Object.fromEntries(kinds.map((kind) => [kind, KIND])),
        people: () => ({ visitors: KIND, persons: KIND }),
        exports: () => ({}),
      },
      liveWatch: { close() {} },
      behindSeconds: () => seconds,
      metrics: createMetrics(
        { backlogBytes: () => 0, setAsideBatches: () => 0, listJobs: async () => [] },
        {
          countRefusedJoins: async () => 0,
          listJobs: async () => [],
          countConverting: () => ({ converted: 0, payments: 0 }),
        },
        server.log,
      ),
    } as unknown as RouteParts); // Nobody writes or lists.
    await server.listen({ host: '127.0.0.1', port: 0 });
    url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  });
  after(() => server.close());

  function ask(path: string, body: object, accept = 'application/json'): Promise<Response> {
    return fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer trib_x', 'content-type': 'application/json', accept },
      body: JSON.stringify({ site_id: 'site_1', date_range: '7d', ...body }),
    });
  }
  const STEPS = [
    { type: 'page', path: '/' },
    { type: 'goal', name: 'signup' },
  ];
  const QUERIES: readonly (readonly [path: string, body: object])[] = [
    ['/api/v1/query', { metrics: ['visitors'] }],
    ['/api/v2/query', { metrics: ['visitors'] }],
    ['/api/v1/query/funnel', { steps: STEPS }],
    ['/api/v1/query/journeys', { from: STEPS[0] }],
    ['/api/v1/query/retention', {}],
    ['/api/v1/query/mrr', {}],
    ['/api/v1/query/ltv', {}],
    ['/api/v1/query/purchase-paths', {}],
    ['/api/v1/query/visitors', {}],
  ];

  for (const [path, body] of QUERIES) {
    it(`of ${path} says when events have waited for more than ten seconds`, async () => {
      seconds = 10;
      const fresh = await ask(path, body);
      assert.equal(fresh.status, 200, await fresh.clone().text());
      assert.deepEqual(((await fresh.json()) as { meta: object }).meta, {});
      seconds = 11;
      const late = (await (await ask(path, body)).json()) as { meta: object };
      assert.deepEqual(late.meta, { behind_seconds: 11 });
    });
  }

  it('says so in a header where its format has no meta', async () => {
    seconds = 11;
    for (const type of ['text/csv', 'application/x-ndjson', 'application/vnd.apache.parquet']) {
      const answer = await ask('/api/v1/query', { metrics: ['visitors'] }, type);
      assert.equal(answer.headers.get('x-behind-seconds'), '11', type);
    }
  });
});
