import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import {
  createTributary,
  type Dropped,
  type Tributary,
  TributaryError,
} from '../../../packages/server/src/index.ts';
import { addCaller, type Caller } from '../../server/caller.ts';
import { shareServer } from '../../server/share-server.ts';
import { waitUntil } from '../../server/wait-until.ts';
import { openFaultyWay } from '../examples/faulty-way.ts';

describe('reports of @tributary/server to a real server', () => {
  let url: string;
  let caller: Caller;
  let tributary: Tributary;

  before(async () => {
    const server = await shareServer();
    url = server.url;
    caller = await addCaller(url, server.dataDir, 'reports.example');
    tributary = createTributary({ url, key: caller.key });
    assert.equal((await caller.pageview('ada', '/?utm_source=newsletter')).status, 200);
  });

  it('count a goal once, however often it is repeated with one key', async () => {
    const goal = { service_visitor_id: 'ada', name: 'signup', metadata: { plan: 'pro' } };
    const first = await tributary.goal(goal, { idempotencyKey: 'signup-ada' });
    const again = await tributary.goal(goal, { idempotencyKey: 'signup-ada' });
    assert.match(first?.data[0]?.eventId ?? '', /^[\da-f-]{36}$/);
    assert.deepEqual(again, first);
    const other = { ...goal, name: 'upgrade' };
    await rejects(tributary.goal(other, { idempotencyKey: 'signup-ada' }), 'idempotency_conflict');
  });

  it('are exact to the minor unit of each currency', async () => {
    const amounts = [
      ['EUR', 2_999, 29.99],
      ['JPY', 500, 500],
      ['KWD', 1_001, 1.001],
      ['CLF', 10_001, 1.0001],
    ] as const;
    for (const [currency, amount_minor, amount] of amounts) {
      const facts = { currency, transaction_id: `tx-${currency}`, service_visitor_id: 'ada' };
      const { message } = await tributary.payment({ ...facts, amount_minor });
      assert.match(message, /attributed/);
      await tributary.payment({ ...facts, amount });
      const more = { ...facts, amount_minor: BigInt(amount_minor) + 1n };
      const error = await rejects(tributary.payment(more), 'transaction_conflict');
      assert.match(error.message, new RegExp(`${amount}`.replace('.', '\\.')));
    }
  });

  it('take refunds back, as a part of the payment or under an id of their own', async () => {
    const facts = { currency: 'USD', service_visitor_id: 'ada' };
    for (const transaction_id of ['whole', 'parts']) {
      await tributary.payment({ ...facts, amount_minor: 10_000, transaction_id });
    }
    await tributary.refund({ ...facts, amount_minor: 1_000, transaction_id: 'whole' });
    for (const transaction_id of ['re_1', 're_2']) {
      const own = { transaction_id, original_transaction_id: 'parts' };
      await tributary.refund({ ...facts, ...own, amount_minor: 2_500 });
    }
    assert.equal(await refundedOf('whole'), '10.00');
    assert.equal(await refundedOf('parts'), '50.00');
  });

  it('identify a visitor', async () => {
    const identity = { service_visitor_id: 'ada', user_id: 'customer-7', email: 'ada@example.com' };
    const answer = await tributary.identify(identity);
    assert.equal(answer?.status, 'success');
    const guest = { service_visitor_id: 'ada', user_id: 'guest' };
    const { details } = await rejects(tributary.identify(guest), 'invalid_request');
    assert.deepEqual(
      details.map(({ path }) => path),
      ['/user_id'],
    );
  });

  it('are none without a visitor', async () => {
    assert.equal(
      await tributary.goal({ service_visitor_id: undefined, name: 'signup' }),
      undefined,
    );
    const identity = { service_visitor_id: undefined, user_id: '7' };
    assert.equal(await tributary.identify(identity), undefined);
  });

  it('count once although an answer is lost and the server is away for a moment', async () => {
    const way = await openFaultyWay(url, ['no answer', 'unavailable', 'no answer']);
    const by = createTributary({ url: way.url, key: caller.key });
    await by.goal({ service_visitor_id: 'ada', name: 'lost_answer' });
    assert.equal(way.keys.length, 4);
    assert.equal(new Set(way.keys).size, 1);
    way.close();
    await waitUntil(
      () => caller.query({ metrics: ['events'], filters: [['is', 'event:goal', ['lost_answer']]] }),
      ({ body }) => JSON.stringify(body).includes('"metrics":[1]'),
    );
  });

  it('that the server refuses say why, and what to do', async () => {
    const goal = { name: 'signup' };
    const unseen = await rejects(
      tributary.goal({ ...goal, service_visitor_id: 'nobody' }),
      'visitor_not_found',
    );
    assert.equal(unseen.status, 404);
    assert.match(unseen.message, /reports\.example.*Check that the page has the script/);
    assert.match(unseen.requestId ?? '', /./);
    const named = tributary.goal({ name: 'Sign Up', service_visitor_id: 'ada' });
    assert.match((await rejects(named, 'invalid_request')).message, /\/name: must be 1 to 64/);
    const stranger = createTributary({ url, key: `trib_${'a'.repeat(49)}` });
    const refused = stranger.goal({ ...goal, service_visitor_id: 'ada' });
    assert.match((await rejects(refused, 'unauthorized')).advice, /tributary key create/);
  });

  it('wait in the queue without holding anybody up, and what is refused is told', async (t) => {
    t.mock.method(console, 'warn', () => {});
    const dropped: [Dropped, TributaryError][] = [];
    const onDrop = (each: Dropped, error: TributaryError) => void dropped.push([each, error]);
    const way = await openFaultyWay(url, ['unavailable', 'no answer']);
    const { queue } = createTributary({ url: way.url, key: caller.key, onDrop });
    const ofAda = { service_visitor_id: 'ada' };
    queue.goal({ ...ofAda, name: 'queued' });
    queue.goal({ service_visitor_id: 'nobody', name: 'queued' });
    queue.payment({ ...ofAda, amount_minor: 700, currency: 'USD', transaction_id: 'queued' });
    queue.payment({ ...ofAda, amount_minor: 0.5, currency: 'USD', transaction_id: 'half' });
    assert.deepEqual(await queue.flush(30_000), []);
    way.close();
    assert.deepEqual(
      dropped.map(([{ kind, body }, { type }]) => [
        kind,
        JSON.parse(body).service_visitor_id,
        type,
      ]),
      [
        ['payment', 'ada', 'invalid_amount'],
        ['goal', 'nobody', 'visitor_not_found'],
      ],
    );
    const query = { metrics: ['events'], filters: [['is', 'event:goal', ['queued']]] };
    await waitUntil(
      () => caller.query(query),
      ({ body }) => JSON.stringify(body).includes('"metrics":[1]'),
    );
  });

  async function refundedOf(transactionId: string): Promise<string | undefined> {
    const answer = await fetch(`${url}/api/v1/payments/${transactionId}`, {
      headers: { authorization: `Bearer ${caller.key}` },
    });
    return ((await answer.json()) as { refunded?: { value: string } }).refunded?.value;
  }

  async function rejects(call: Promise<unknown>, type: string): Promise<TributaryError> {
    const error = await call.then(
      () => assert.fail('it was accepted'),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof TributaryError);
    assert.equal(error.type, type);
    return error;
  }
});
