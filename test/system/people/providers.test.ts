import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { charge, dayOf } from '../../providers/stripe-world.ts';
import { type BrowserCalls, signInAsOwner } from '../../server/browser-calls.ts';
import { shareServer } from '../../server/share-server.ts';
import type { TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

const SECRET = 'whsec_0123456789abcdef01';

describe('payment providers in the hands of owners', () => {
  let server: TestServer;
  let anna: BrowserCalls;
  let path: string;
  let id: string;

  before(async () => {
    server = await shareServer({ RATE_LIMIT_READS: '0' });
    anna = await signInAsOwner(server);
    const site = { domain: 'providers.example', timezone: 'UTC', currency: 'EUR' };
    path = `/api/v1/sites/${(await anna.call('POST', '/api/v1/sites', site)).body.id}/providers`;
  });

  it('are connected in two steps: the address, then the secret that the provider gives for it', async () => {
    const made = await anna.call('POST', path, { provider: 'stripe', name: 'Shop' });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    id = made.body.id;
    assert.equal(made.body.webhook_url, `${server.url}/webhooks/${id}`);
    assert.deepEqual(made.body.missing, ['signing_secret']);
    const changed = await anna.call('PATCH', `${path}/${id}`, {
      fields: { signing_secret: SECRET },
    });
    assert.deepEqual(changed.body.missing, []);
    assert.doesNotMatch(JSON.stringify(changed.body), /whsec/);
  });

  it('get another address where a token in it is the proof', async () => {
    const fields = { seller_id: 'seller==' };
    const made = (await anna.call('POST', path, { provider: 'gumroad', fields })).body;
    const url = `${path}/${made.id}`;
    const named = (await anna.call('PATCH', url, { name: 'Books' })).body;
    assert.equal(named.webhook_url, made.webhook_url);
    const changed = (await anna.call('PATCH', url, { new_token: true })).body;
    assert.notEqual(changed.webhook_url, made.webhook_url);
    assert.match(changed.webhook_url, /\?token=[\w-]{32}$/);
    await anna.call('DELETE', url);
  });

  it('are refused with a sentence', async () => {
    for (const [body, message] of [
      [{ provider: 'nobody' }, /must be one of stripe/],
      [{ provider: 'stripe', fields: { signing_secret: 'x' } }, /must look like whsec_…/],
      [{ provider: 'stripe', fields: { colour: 'red' } }, /is not a field of Stripe/],
    ] as const) {
      const { status, body: refused } = await anna.call('POST', path, body);
      assert.equal(status, 400);
      assert.match(refused.error.message, message);
    }
    assert.equal((await anna.call('PATCH', `${path}/conn_0`, {})).status, 404);
    assert.equal((await anna.call('DELETE', `${path}/conn_0`)).status, 404);
  });

  it('are tested through the door, and list what came of their events', async () => {
    const { body } = await anna.call('POST', `${path}/${id}/test`);
    assert.ok(
      body.steps.every(({ ok }: { ok: boolean }) => ok),
      JSON.stringify(body),
    );
    const { body: listed } = await anna.call('GET', path);
    assert.deepEqual(listed.connections[0].events, [
      { type: 'charge.succeeded', state: 'test', count: 1 },
    ]);
    const [stripe] = listed.providers;
    assert.equal(stripe.name, 'stripe');
    assert.equal(stripe.steps.length, 3);
    assert.ok(stripe.event_types.includes('charge.succeeded'));
  });

  it('read their events again', async () => {
    const payload = JSON.stringify(charge('again', dayOf(1)));
    const { default: Stripe } = await import('stripe');
    const header = new Stripe('sk_test_x').webhooks.generateTestHeaderString({
      ...{ payload, secret: SECRET },
    });
    const sent = await fetch(`${server.url}/webhooks/${id}`, {
      ...{ method: 'POST', body: payload, headers: { 'stripe-signature': header } },
    });
    assert.equal(sent.status, 200);
    const list = async () => (await anna.call('GET', path)).body.connections[0].payments.all;
    await waitUntil(list, (count) => count === 1);
    const { body } = await anna.call('POST', `${path}/${id}/replay`, {
      since: '2020-01-01T00:00:00Z',
    });
    assert.deepEqual(body, { events: 1 });
  });

  it('read their history with a key, but at no address inside that the operator has not named', async () => {
    const url = `${path}/${id}/history`;
    const without = await anna.call('POST', url, {});
    assert.equal(without.status, 400);
    assert.match(without.body.error.message, /api_key.*is needed to read history/);
    const fields = { api_key: 'rk_live_0123456789', base_url: 'http://127.0.0.1:9' };
    assert.equal((await anna.call('PATCH', `${path}/${id}`, { fields })).status, 200);
    assert.equal((await anna.call('POST', url, { since: '2026-01-31T00:00:00Z' })).status, 200);
    assert.equal((await anna.call('POST', url, { since: 'soon' })).status, 400);
    assert.equal((await anna.call('POST', `${path}/conn_0/history`, {})).status, 404);
    const read = async () => (await anna.call('GET', path)).body.connections[0].history;
    const history = await waitUntil(read, ({ error }) => error !== null);
    assert.match(history.error, /cannot be reached: http:\/\/127\.0\.0\.1:9 must start with https/);
    assert.deepEqual([history.since, history.pages], ['2026-01-31T00:00:00.000Z', 0]);
    const elsewhere = { fields: { base_url: 'https://evil.example' } };
    const refused = await anna.call('PATCH', `${path}/${id}`, elsewhere);
    assert.match(refused.body.error.message, /must be given again/);
  });

  it('know their own test from forged events', async () => {
    const shown = async () => (await anna.call('GET', path)).body.connections[0].last_error;
    assert.equal(await shown(), null);
    await anna.call('POST', `${path}/${id}/test`);
    const other = (await anna.call('POST', path, { provider: 'stripe' })).body.id;
    const sent = await fetch(`${server.url}/webhooks/${other}`, { method: 'POST', body: '{}' });
    assert.equal(sent.status, 401);
    // Refusals are saved together: one that came later is there, so the test's would be, too.
    const last = async () => (await anna.call('GET', path)).body.connections[1].last_error;
    await waitUntil(last, (error) => error !== null);
    assert.equal(await shown(), null);
    await anna.call('DELETE', `${path}/${other}`);
  });

  it('list the events that failed, with the reason', async () => {
    const payload = JSON.stringify(charge('odd', dayOf(1), { currency: 'xxxx' }));
    const { default: Stripe } = await import('stripe');
    const header = new Stripe('sk_test_x').webhooks.generateTestHeaderString({
      ...{ payload, secret: SECRET },
    });
    await fetch(`${server.url}/webhooks/${id}`, {
      ...{ method: 'POST', body: payload, headers: { 'stripe-signature': header } },
    });
    const failed = async () => (await anna.call('GET', path)).body.connections[0].failed;
    const [event] = await waitUntil(failed, ({ length }) => length > 0);
    assert.equal(event.type, 'charge.succeeded');
    assert.equal(event.why, 'Its currency is unknown: "xxxx".');
  });

  it('preview what becomes of the last event of any other system', async () => {
    const fields = { signing_secret: 'a-token', scheme: 'bearer' };
    const made = (await anna.call('POST', path, { provider: 'generic', fields })).body;
    const preview = async (fields: object) =>
      (await anna.call('POST', `${path}/${made.id}/preview`, { fields })).body;
    assert.deepEqual(await preview({}), {
      ...{ received_at: null, body: null, state: null, why: null, becomes: [] },
    });
    const body = JSON.stringify({ order: { no: 'o-1', sum: 29.9, cur: 'EUR' } });
    const sent = await fetch(`${server.url}/webhooks/${made.id}`, {
      ...{ method: 'POST', body, headers: { authorization: 'Bearer a-token' } },
    });
    assert.equal(sent.status, 200);
    const none = await preview({});
    assert.deepEqual([none.state, none.body], ['failed', body]);
    const mapped = { id_path: 'order.no', amount_path: 'order.sum', currency_path: 'order.cur' };
    const { state, becomes } = await preview(mapped);
    assert.equal(state, 'done');
    const { Paid: _, ...rows } = Object.fromEntries(becomes.map(Object.values));
    assert.deepEqual(rows, {
      ...{ 'It is a': 'payment', Id: 'o-1', Amount: '29.90 EUR', Renewal: 'no' },
    });
    const change = (fields: object) => anna.call('PATCH', `${path}/${made.id}`, { fields });
    const settings = { scheme: 'bearer', ...mapped };
    assert.deepEqual((await change(mapped)).body.settings, settings);
    const { currency_path: __, ...left } = settings;
    assert.deepEqual((await change({ currency_path: '' })).body.settings, left, 'is taken away');
    await anna.call('DELETE', `${path}/${made.id}`);
  });

  it('of a shop say what counts twice if its gateway is connected too', async () => {
    const made = (await anna.call('POST', path, { provider: 'woocommerce' })).body;
    assert.equal(
      made.overlap,
      'An order that names its payment at Stripe counts once, there. Of the others, 0 so far, those that came through Stripe count twice.',
    );
    const [stripe] = (await anna.call('GET', path)).body.connections;
    assert.equal(stripe.overlap, null);
    await anna.call('DELETE', `${path}/${made.id}`);
  });

  it('are disconnected, and seen in the audit log', async () => {
    assert.equal((await anna.call('DELETE', `${path}/${id}`)).status, 200);
    assert.deepEqual((await anna.call('GET', path)).body.connections, []);
    const { body } = await anna.call('GET', path.replace('/providers', '/audit'));
    const noted = JSON.stringify(body);
    for (const what of ['connected', 'changed', 'history read', 'disconnected']) {
      assert.ok(noted.includes(`provider ${what}`), noted);
    }
    assert.match(noted, /"provider tested","about":"[^"]+ \(stripe, conn_\w+\): works"/);
    assert.match(noted, /"provider events replayed","about":"[^"]+ \(stripe, conn_\w+\): 1"/);
  });
});
