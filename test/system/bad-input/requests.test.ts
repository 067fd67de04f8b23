import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import {
  assertIsRefusal,
  goal,
  payment,
  type ReadAnswer,
  type RefusingServer,
  type SentRequest,
  SITE,
  startRefusingServer,
} from './refusing-server.ts';

/** More than all other tests here send. */
const READS_MAX = 20;

describe('a request is refused', () => {
  let tributary: RefusingServer;
  before(async () => {
    tributary = await startRefusingServer({ RATE_LIMIT_READS: `${READS_MAX}` });
  });
  after(() => tributary?.stop());

  for (const path of [
    '/nowhere',
    '/api',
    '/api/v1/goals/',
    '/api/v2/goals',
    '/%00',
    '/%ff',
    '/..%2f..',
  ]) {
    it(`at the unknown path ${path}`, async () => {
      await tributary.assertRefused({ path, body: goal() }, { type: 'not_found' });
    });
  }

  it("at a path of Plausible's first API, and says where queries go", async () => {
    const answer = await tributary.send({ path: '/api/v1/stats/aggregate?site_id=example.com' });
    assertIsRefusal(answer, { type: 'not_found' });
    assert.match(JSON.stringify(answer.body), /POST \/api\/v2\/query/);
  });

  for (const [path, allow] of [
    ['/api/v1/goals', 'POST'],
    ['/api/v1/payments', 'GET, HEAD, POST'],
    ['/api/v1/payments/p', 'DELETE, GET, HEAD, PATCH'],
    ['/api/v1/identify', 'POST'],
    ['/api/v1/query', 'POST'],
    ['/api/v1/query/funnel', 'POST'],
    ['/api/v1/query/journeys', 'POST'],
    ['/api/v1/query/purchase-paths', 'POST'],
    ['/api/v1/events', 'OPTIONS, POST'],
    ['/api/v1/drops', 'GET, HEAD'],
    ['/api/v1/visitors/v', 'DELETE, GET, HEAD'],
    ['/api/v1/erasures/e', 'GET, HEAD'],
  ] as const) {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH'].filter(
      (each) => !allow.includes(each),
    )) {
      it(`with ${method} at ${path}, which names what it has`, async () => {
        const answer = await tributary.assertRefused(
          { path, method },
          { type: 'method_not_allowed' },
        );
        assert.equal(answer.headers.get('allow'), allow);
      });
    }
  }

  it('with POST where there is something to read only', async () => {
    const answer = await tributary.assertRefused(
      { path: '/healthz', body: {} },
      { type: 'method_not_allowed' },
    );
    assert.equal(answer.headers.get('allow'), 'GET, HEAD');
  });

  for (const [path, body] of [
    ['/api/v1/goals', goal()],
    ['/api/v1/payments', payment()],
    ['/api/v1/identify', { service_visitor_id: 'v', user_id: '42' }],
  ] as const) {
    it(`at ${path} with a body of another kind, and with one too large`, async () => {
      const headers = { 'content-type': 'text/html' };
      await tributary.assertRefused({ path, headers, body }, { type: 'unsupported_media_type' });
      const large = { ...body, more: 'x'.repeat(65 * 1024) };
      await tributary.assertRefused({ path, body: large }, { type: 'request_too_large' });
    });
  }

  it('for a visitor whose id is none', async () => {
    const get = { method: 'GET' };
    for (const id of ['a%20b', '%F0%9F%90%91']) {
      const path = `/api/v1/visitors/${id}`;
      await tributary.assertRefused({ ...get, path }, { type: 'invalid_request', paths: ['/id'] });
    }
  });

  it('after more queries in a minute than the key may ask, wherever it asks them', async () => {
    const body = { site_id: SITE, date_range: '7d' };
    const asks = [
      { path: '/api/v1/query', body: { ...body, metrics: ['visitors'] } },
      { path: '/api/v1/query/visitors', body },
      { path: '/api/v1/live', method: 'GET' },
    ];
    const answers: ReadAnswer[] = [];
    while (answers.length <= READS_MAX && answers.at(-1)?.code !== 429) {
      answers.push(await tributary.send(asks[answers.length % asks.length] as SentRequest));
    }
    const last = answers.pop() as ReadAnswer;
    assert.ok(answers.length > asks.length && answers.every(({ code }) => code === 200));
    for (const ask of asks) assert.equal((await tributary.send(ask)).code, 429, ask.path);
    assertIsRefusal(last, { type: 'rate_limited' });
    assert.match(last.headers.get('retry-after') ?? '', /^\d+$/);
    assert.equal(last.headers.get('ratelimit-limit'), `${READS_MAX}`);
    assert.equal(last.headers.get('ratelimit-remaining'), '0');
    const write = await tributary.send({ path: '/api/v1/goals', body: goal() });
    assert.equal(write.code, 200, 'writes are not limited');
  });

  it('with an id of its own, unless it has a sane one', async () => {
    const send = (id: string) =>
      tributary.send({ path: '/nowhere', headers: { 'x-request-id': id } });
    assert.equal((await send('abc-1')).headers.get('x-request-id'), 'abc-1');
    for (const odd of ['a b', '<b>', 'x'.repeat(129)]) {
      const answer = await send(odd);
      assert.notEqual(answer.headers.get('x-request-id'), odd);
      assertIsRefusal(answer, { type: 'not_found' });
    }
  });

  const raw: readonly [rule: string, text: string, status: string, type: string][] = [
    ['when it is no HTTP', 'hello\r\n\r\n', '400', 'invalid_request'],
    ['when a header is broken', 'GET / HTTP/1.1\r\nbad header\r\n\r\n', '400', 'invalid_request'],
    [
      'when its length is said in two ways',
      'POST /api/v1/goals HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      '400',
      'invalid_request',
    ],
    [
      'when its header is too large',
      `GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
      '431',
      'headers_too_large',
    ],
  ];
  for (const [rule, text, status, type] of raw) {
    it(rule, async () => {
      const answer = await tributary.assertNothingRecorded(() => sendRaw(text));
      assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `));
      const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')));
      assert.equal(body.error.type, type);
      assert.match(answer.toLowerCase(), new RegExp(`x-request-id: ${body.error.request_id}`));
    });
  }

  it('when its header does not arrive within 5 seconds', async () => {
    const startedAt = performance.now();
    const answer = await tributary.assertNothingRecorded(() =>
      sendRaw('POST /api/v1/goals HTTP/1.1\r\nhost: a\r\n'),
    );
    assert.match(answer, /^HTTP\/1.1 408 /);
    assert.match(answer, /"type":"request_timeout"/);
    const tookMs = performance.now() - startedAt; // Node's own limit is a minute.
    assert.ok(tookMs < 30_000, `${tookMs} ms`);
  });

  it('without a trace, when it breaks off in its body', async () => {
    await tributary.assertNothingRecorded(async () => {
      const { hostname, port } = new URL(tributary.server.url);
      const socket = connect(Number(port), hostname);
      const head = `POST /api/v1/goals HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${tributary.key}\r\n`;
      socket.write(`${head}content-type: application/json\r\ncontent-length: 100\r\n\r\n{"name":`);
      await once(socket, 'connect');
      socket.destroy();
      await once(socket, 'close');
      assert.equal((await tributary.send({ path: '/healthz', method: 'GET' })).code, 200);
    });
  });

  async function sendRaw(text: string): Promise<string> {
    const { hostname, port } = new URL(tributary.server.url);
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', () => {});
    socket.write(text);
    await once(socket, 'close');
    return answer;
  }
});
