import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import {
  createTributary,
  TributaryError,
  type TributaryOptions,
} from '../../packages/server/src/index.ts';
import { openListeners } from './open-listener.ts';

const KEY = `trib_${'k'.repeat(49)}`;
const GOAL = { service_visitor_id: 'ada', name: 'signup' };
const PAYMENT = { amount_minor: 700, currency: 'EUR', transaction_id: 'tx-1' };
const ANSWER = { status: 'success', data: [{ message: 'ok', eventId: 'some-id' }] };

describe('a server that is not as it should be', () => {
  const { open, close } = openListeners();

  it('dead: the call says what cannot be reached', async () => {
    const url = await open(() => {});
    close();
    const error = await failOf({ url, retryForMs: 400 });
    assert.deepEqual([error.type, error.isTemporary], ['unreachable', true]);
    assert.match(
      error.message,
      new RegExp(`reached at ${url}/: ECONNREFUSED\\. Check TRIBUTARY_URL`),
    );
  });

  it('slow: each attempt has a limit, in the body too', async () => {
    const silent = await failOf({ url: await open(() => {}), timeoutMs: 50, retryForMs: 0 });
    assert.equal(silent.type, 'timeout');
    const url = await open((_, response) => response.writeHead(200).write('{'));
    const endless = await failOf({ url, timeoutMs: 50, retryForMs: 0 });
    assert.equal(endless.type, 'timeout');
    assert.match(endless.message, /within 50 ms\./);
  });

  const LIES: readonly (readonly [string, RequestListener])[] = [
    ['a page of a proxy', (_, response) => response.end('<!doctype html>')],
    ['another answer', (_, response) => response.end('{"status":"success","data":[]}')],
    ['nothing', (_, response) => response.end()],
    ['null', (_, response) => response.end('null')],
    ['a huge answer', (_, response) => response.end(`{"status":"success${' '.repeat(9e6)}`)],
    ['an error without a shape', (_, response) => response.writeHead(404).end('{"error":"no"}')],
  ];
  for (const [name, listener] of LIES) {
    it(`lying: ${name} is no success`, async () => {
      const error = await failOf({ url: await open(listener), retryForMs: 0 });
      assert.equal(error.type, 'unexpected_answer');
      assert.match(error.message, /not as Tributary does\. Check TRIBUTARY_URL/);
    });
  }

  it('lying: another payment’s answer is no success', async () => {
    const url = await open((_, response) => response.end('{"message":"","transaction_id":"tx-2"}'));
    const call = createTributary({ url, key: KEY, retryForMs: 0 }).payment(PAYMENT);
    await assert.rejects(call, { type: 'unexpected_answer' });
  });

  it('moved: no redirect is followed, which would carry the key elsewhere', async () => {
    let elsewhere = 0;
    const other = await open((_, response) => {
      elsewhere += 1;
      response.end(JSON.stringify(ANSWER));
    });
    const url = await open((_, response) => response.writeHead(308, { location: other }).end());
    const error = await failOf({ url });
    assert.match(error.message, new RegExp(`answers 308 and points to ${other}`));
    assert.equal(elsewhere, 0);
  });

  it('busy for a second: the call waits for as long as the server asks', async () => {
    const asked: number[] = [];
    const url = await open((_, response) => {
      asked.push(performance.now());
      if (asked.length === 1) response.writeHead(429, { 'retry-after': '1' }).end();
      else response.end(JSON.stringify(ANSWER));
    });
    assert.deepEqual(await createTributary({ url, key: KEY }).goal(GOAL), ANSWER);
    const [first = 0, second = 0] = asked;
    assert.ok(second - first >= 990, `${second - first} ms`);
  });

  it('busy for a minute: a call that is awaited says so at once', async () => {
    let asked = 0;
    const url = await open((_, response) => {
      asked += 1;
      response.writeHead(429, { 'retry-after': '60' }).end();
    });
    const error = await failOf({ url });
    assert.deepEqual([error.type, error.retryAfterMs, asked], ['rate_limited', 60_000, 1]);
  });

  it('busy for a minute: the queue waits, and sends all of it then', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    t.mock.method(console, 'warn', () => {});
    const sent: string[] = [];
    let isBusy = true;
    const fetch = async (_: unknown, { body }: { body?: unknown } = {}) => {
      if (isBusy) return new Response('', { status: 429, headers: { 'retry-after': '60' } });
      sent.push(JSON.parse(String(body)).name);
      return Response.json(ANSWER);
    };
    const options = {
      url: 'http://tributary.test',
      key: KEY,
      fetch: fetch as typeof globalThis.fetch,
    };
    const { queue } = createTributary(options);
    queue.goal(GOAL);
    queue.goal({ ...GOAL, name: 'second' });
    await settle();
    isBusy = false;
    t.mock.timers.tick(59_000);
    await settle();
    assert.deepEqual(sent, []);
    t.mock.timers.tick(1_000);
    await settle();
    assert.deepEqual(sent.toSorted(), ['second', 'signup']);
  });

  it('dead for a day: the queue is bounded, keeps payments longest, and says what it drops', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    const said = watchConsole(t);
    const dropped: string[] = [];
    const { queue } = createTributary({
      ...{ url: 'http://tributary.test', key: KEY, queueMax: 3 },
      fetch: () => Promise.reject(new Error('no route to host')),
      onDrop: ({ kind, subject }, { type }) => dropped.push(`${kind} ${subject}: ${type}`),
    });
    queue.payment(PAYMENT);
    await settle(); // It has been tried.
    for (const name of ['one', 'two', 'three']) queue.goal({ ...GOAL, name });
    queue.refund({ ...PAYMENT, transaction_id: 're-1' });
    assert.deepEqual(dropped, ['goal one: queue_full', 'goal two: queue_full']);
    const left = queue.flush(0);
    t.mock.timers.tick(0);
    assert.deepEqual((await left).map(({ subject }) => subject).toSorted(), [
      're-1',
      'three',
      'tx-1',
    ]);
    for (let minutes = 0; minutes < 24 * 60; minutes += 1) {
      t.mock.timers.tick(60_000);
      await settle();
    }
    assert.deepEqual(dropped.slice(2).toSorted(), [
      'goal three: expired',
      'payment tx-1: expired',
      'refund re-1: expired',
    ]);
    assert.equal(said.length, 1);
    assert.match(said[0] ?? '', /wait to be sent again.*no route to host/);
  });

  it('wrongly set up: the setting is named when something is reported, not before', async (t) => {
    t.mock.method(globalThis, 'fetch', () => assert.fail('nothing is asked'));
    const wrong: readonly (readonly [TributaryOptions, RegExp])[] = [
      [{ url: '', key: KEY }, /TRIBUTARY_URL is not set/],
      [{ url: 'tributary.example', key: KEY }, /TRIBUTARY_URL is not an address/],
      [{ url: 'https://hi.example', key: '' }, /TRIBUTARY_KEY is not set/],
      [{ url: 'https://hi.example', key: `${KEY}\n` }, /TRIBUTARY_KEY is not a whole key/],
    ];
    for (const [options, message] of wrong) {
      await assert.rejects(createTributary(options).goal(GOAL), { type: 'misconfigured', message });
    }
  });

  it('without anybody listening, the queue logs what it drops', (t) => {
    const said = watchConsole(t);
    createTributary({ url: '', key: KEY }).queue.payment({ ...PAYMENT, amount_minor: -1 });
    assert.match(said.join(), /dropped the payment .*amount_minor is -1/);
  });

  it('reports keep their bytes and their key from one attempt to the next', async () => {
    const sent: string[] = [];
    const fetch = (async (_: unknown, { body, headers }: RequestInit = {}) => {
      sent.push(`${new Headers(headers).get('idempotency-key')} ${String(body)}`);
      return sent.length < 3 ? new Response('', { status: 500 }) : Response.json(ANSWER);
    }) as typeof globalThis.fetch;
    await createTributary({ url: 'http://tributary.test', key: KEY, fetch }).goal(GOAL);
    assert.equal(sent.length, 3);
    assert.equal(new Set(sent).size, 1);
  });
});

async function failOf(options: TributaryOptions): Promise<TributaryError> {
  const error = await createTributary({ key: KEY, ...options })
    .goal(GOAL)
    .catch((thrown: unknown) => thrown);
  assert.ok(error instanceof TributaryError, String(error));
  return error;
}

function watchConsole(t: TestContext): string[] {
  const said: string[] = [];
  for (const level of ['warn', 'error'] as const) {
    t.mock.method(console, level, (line: string) => void said.push(line));
  }
  return said;
}

/** Lets everything run that waits for no timer. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
