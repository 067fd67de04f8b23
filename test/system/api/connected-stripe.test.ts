import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { before, describe, it } from 'node:test';
import Stripe from 'stripe';
import {
  charge,
  dispute,
  refund,
  type StripeEvent,
  session,
} from '../../providers/stripe-world.ts';
import { addSite, createKey } from '../../server/add-site.ts';
import { type Caller, callerOf } from '../../server/caller.ts';
import { shareServer } from '../../server/share-server.ts';
import { runCli, type TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

const SITE = 'connected-stripe.example';
const SECRET = 'whsec_5f1c2a9e7b3d4f60a1b2c3d4';
const stripe = new Stripe('sk_test_of_nobody');

type Connected = { id: string; webhook_url: string; event_types: string[]; missing: string[] };
type Shown = {
  last_error: string | null;
  events: { type: string; state: string; count: number }[];
  payments: Record<string, number>;
};

let server: TestServer;
let caller: Caller;
let connected: Connected;
before(async () => {
  server = await shareServer();
  await addSite(server.dataDir, SITE, { currency: 'EUR' });
  const key = await createKey(server.dataDir, SITE);
  caller = callerOf(server.url, SITE, key);
  const args = ['connect', 'stripe', '--site', SITE, '--signing-secret', SECRET];
  connected = await cli(...args);
});

const cli = <T>(...args: string[]): Promise<T> => runCli(['provider', ...args], server.dataDir);
const show = () => cli<Shown>('show', connected.id);
const now = () => Math.floor(Date.now() / 1_000);

/** Sends an event as Stripe does, with the signature of its own package. */
async function send(event: StripeEvent, secret = SECRET, timestamp = now()): Promise<number> {
  const payload = JSON.stringify(event);
  const signature = stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  return post(payload, { 'stripe-signature': signature });
}

async function post(body: string, headers: Record<string, string> = {}): Promise<number> {
  const url = `${server.url}/webhooks/${connected.id}`;
  const answer = await fetch(url, { method: 'POST', body, headers });
  await answer.arrayBuffer();
  return answer.status;
}

async function figures(query: Record<string, unknown>): Promise<unknown> {
  const { status, body } = await caller.query(query);
  assert.equal(status, 200, JSON.stringify(body));
  return (body as { results: unknown }).results;
}

const MONEY = ['gross_revenue', 'refunds', 'disputes', 'revenue'];

describe('a connected Stripe account', () => {
  it('has an address, and says what to do', () => {
    assert.match(connected.id, /^conn_[0-9a-z]{16}$/);
    assert.ok(connected.webhook_url.endsWith(`/webhooks/${connected.id}`));
    assert.deepEqual(connected.missing, []);
  });

  it('tracks payments, refunds and disputes, and whose they are', async () => {
    await caller.pageview('visitor-sale', '/?utm_source=newsletter');
    const at = now();
    for (const event of [
      refund('a', 'sale', at, 900),
      session('sale', at),
      charge('sale', at),
      charge('other', at, { customer: null }),
      dispute('b', 'other', at, 'needs_response', 2_900),
    ]) {
      assert.equal(await send(event), 200);
    }
    const found = await waitUntil(
      () => figures({ metrics: MONEY, dimensions: ['payment:provider'] }),
      (rows) => JSON.stringify(rows).includes('58.00'),
    );
    assert.deepEqual(found, [
      { dimensions: ['stripe'], metrics: ['58.00', '9.00', '29.00', '20.00'].map(toEuro) },
    ]);
    const ofLetter = await figures({
      ...{ metrics: ['revenue'], dimensions: ['visit:source'] },
      filters: [['is', 'visit:source', ['newsletter']]],
    });
    assert.deepEqual(ofLetter, [{ dimensions: ['newsletter'], metrics: [toEuro('20.00')] }]);
    const headers = { authorization: `Bearer ${caller.key}` };
    const listed = await fetch(`${server.url}/api/v1/payments?totals=true`, { headers });
    type Refund = { readonly amount: { readonly value: string }; readonly disputed?: true };
    const { results, meta } = (await listed.json()) as {
      readonly results: readonly { readonly status: string; readonly refunds: readonly Refund[] }[];
      readonly meta: { readonly totals: readonly { readonly status: string }[] };
    };
    for (const all of [results, meta.totals]) {
      const statuses = all.map(({ status }) => status).toSorted();
      assert.deepEqual(statuses, ['disputed', 'partly_refunded']);
    }
    const back = results.flatMap(({ refunds }) =>
      refunds.map((each) => [each.amount.value, each.disputed]),
    );
    assert.deepEqual(Object.fromEntries(back), { '29.00': true, '9.00': undefined });
  });

  it('counts an event once, however often it comes', async () => {
    const event = charge('twice', now(), { customer: null, amount_captured: 500 });
    for (let times = 0; times < 3; times++) assert.equal(await send(event), 200);
    await waitUntil(show, ({ payments }) => payments.all === 3);
    const counted = (await show()).events.filter(({ type }) => type === 'charge.succeeded');
    assert.deepEqual(counted, [{ type: 'charge.succeeded', state: 'done', count: 3 }]);
  });

  it('refuses what is forged, stale, from the future, unsigned, cut off or no event', async () => {
    const event = charge('forged', now());
    const payload = JSON.stringify(event);
    const header = (secret = SECRET, timestamp = now()) =>
      stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
    assert.equal(await send(event, 'whsec_another_secret_of_nobody'), 401);
    assert.equal(await send(event, SECRET, now() - 400), 401);
    assert.equal(await send(event, SECRET, now() + 400), 401);
    assert.equal(await post(payload), 401);
    assert.equal(await post(payload.slice(0, -9), { 'stripe-signature': header() }), 401);
    assert.equal(await post(`${payload} `, { 'stripe-signature': header() }), 401);
    assert.equal(await post('x'.repeat(2 ** 20 + 1)), 413);
    const nothing = stripe.webhooks.generateTestHeaderString({ payload: '[]', secret: SECRET });
    assert.equal(await post('[]', { 'stripe-signature': nothing }), 400);
    const unknown = await fetch(`${server.url}/webhooks/conn_0123456789abcdef`, { method: 'POST' });
    assert.equal(unknown.status, 404);
    assert.ok(!(await show()).events.some(({ count }) => count > 3));
    // Refusals are noted at intervals, and the last one stays.
    const last = 'The body is not an event of Stripe.';
    await waitUntil(show, ({ last_error }) => last_error === last);
  });

  it('leaves test events out, and passes its own test', async () => {
    assert.equal(await send({ ...charge('test', now()), livemode: false }), 200);
    const steps = await cli<{ step: string; ok: boolean; found: string }[]>('test', connected.id);
    assert.deepEqual(
      steps.map(({ step, ok }) => [step, ok]),
      [
        ['forged', true],
        ['signed', true],
        ['again', true],
        ['inbox', true],
      ],
    );
    const { events } = await show();
    assert.deepEqual(
      events.filter(({ state }) => state === 'test'),
      [{ type: 'charge.succeeded', state: 'test', count: 2 }],
    );
  });

  it('accepts the secret before while a new one takes over', async () => {
    const rotated = 'whsec_new_0123456789abcdef';
    await cli('rotate', connected.id, '--signing-secret', rotated);
    const sendNew = () => send(charge('new', now()), rotated);
    await waitUntil(sendNew, (status) => status === 200);
    assert.equal(await send(charge('old', now())), 200);
  });

  it('reads its events again, and says nothing twice', async () => {
    const before = await waitUntil(
      () => figures({ metrics: MONEY }),
      (found) => JSON.stringify(found).includes('"121.00"'),
    );
    const { events, failed } = await cli<{ events: number; failed: number }>(
      'replay',
      connected.id,
    );
    assert.ok(events >= 6, `${events}`);
    assert.equal(failed, 0);
    assert.deepEqual(await figures({ metrics: MONEY }), before);
  });

  it('never shows its secrets, and keeps them encrypted', async () => {
    const shown = JSON.stringify([await show(), await cli('list')]);
    assert.ok(!shown.includes('whsec_'));
    const { promise, resolve } = Promise.withResolvers<string>();
    execFile('grep', ['-rlaF', SECRET, server.dataDir], (_error, stdout) => resolve(stdout));
    assert.equal(await promise, '');
  });

  it('is gone after it was disconnected; its payments stay', async () => {
    await cli('disconnect', connected.id);
    const sendLate = () => send(charge('late', now()));
    await waitUntil(sendLate, (status) => status === 404);
    assert.deepEqual(await cli('list', '--site', SITE), []);
    assert.match(JSON.stringify(await figures({ metrics: ['gross_revenue'] })), /\d\d\.00/);
  });
});

function toEuro(value: string) {
  return { value, currency: 'EUR' };
}
