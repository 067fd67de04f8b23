import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { createKey } from '../../server/add-site.ts';
import { addCaller, type Caller } from '../../server/caller.ts';
import { shareServer } from '../../server/share-server.ts';
import { runCli, type TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

const SITE = 'identify.example';

type Verdicts = {
  readonly accepted: number;
  readonly dropped: readonly { readonly index: number; readonly reason: string }[];
  readonly service_visitor_id?: string;
};

describe('who a visitor is', () => {
  let server: TestServer;
  let caller: Caller;
  /** For a key that may read and erase visitors. */
  let looker: string;
  before(async () => {
    server = await shareServer();
    caller = await addCaller(server.url, server.dataDir, SITE);
    looker = await createKey(server.dataDir, SITE, ['visitors:read', 'visitors:delete']);
  });

  async function revenueOf(source: string): Promise<string | undefined> {
    const { body } = await caller.query({ metrics: ['revenue'], dimensions: ['visit:source'] });
    const rows = (body as { results?: { dimensions: string[]; metrics: { value: string }[] }[] })
      .results;
    return rows?.find(({ dimensions }) => dimensions[0] === source)?.metrics[0]?.value;
  }

  /** Like a browser, without a key. */
  async function send(events: readonly object[]): Promise<Verdicts> {
    const answer = await fetch(`${server.url}/api/v1/events`, {
      method: 'POST',
      headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' },
      body: JSON.stringify({ events }),
    });
    return (await answer.json()) as Verdicts;
  }

  const toClaim = (visitorId: string, userId: string) => ({
    ...{ site: SITE, url: `https://${SITE}/`, type: 'identify' },
    ...{ service_visitor_id: visitorId, user_id: userId },
  });
  const claim = (visitorId: string, userId: string, more = {}) =>
    send([{ ...toClaim(visitorId, userId), ...more }]);

  async function look(visitorId: string, scope: string, method = 'GET', path = '') {
    const query = path === '' ? `?scope=${scope}` : '';
    const url = `${server.url}/api/v1/visitors/${visitorId}${path}${query}`;
    const headers = { authorization: `Bearer ${looker}` };
    return (await fetch(url, { method, headers })).json() as Promise<{
      person: {
        visitors: { service_visitor_id: string; joined_by: unknown[] }[];
        emails: string[];
      };
      payments: unknown[];
      separated_from?: unknown[];
    }>;
  }

  it('is not joined for a bot, and the answer says so', async () => {
    const url = `https://${SITE}/?utm_source=crawler`;
    const crawler = { site: SITE, type: 'pageview', url, service_visitor_id: 'crawler' };
    await caller.post('/api/v1/events', { ...crawler, user_agent: 'Googlebot/2.1' });
    const identity = { service_visitor_id: 'crawler', user_id: 'crawls' };
    const { status, body } = await caller.post('/api/v1/identify', identity);
    assert.equal(status, 200);
    assert.match(JSON.stringify(body), /Visitor is a bot: not joined/);
  });

  it('is no stranger’s to claim: five claims join nobody and show nothing', async () => {
    const customers = ['c1', 'c2', 'c3', 'c4', 'c5'];
    for (const customer of customers) {
      await caller.pageview(customer, `/?utm_source=of-${customer}`);
      await caller.post('/api/v1/identify', {
        ...{ service_visitor_id: customer, user_id: customer, email: `${customer}@shop.example` },
      });
      const paid = { service_visitor_id: customer, customer_id: customer };
      await caller.payment({ ...paid, amount: 1, currency: 'USD', transaction_id: customer });
    }
    await caller.pageview('stranger', '/?utm_source=stranger');
    const traits = { email: 'c1@shop.example' };
    assert.equal((await claim('stranger', 'c1', { traits })).accepted, 1);
    for (const customer of customers.slice(1)) {
      const verdicts = await claim('stranger', customer);
      assert.deepEqual(verdicts.dropped, [{ index: 0, reason: 'identity_conflict' }]);
      assert.match(verdicts.service_visitor_id ?? '', /^[0-9a-f-]{36}$/);
    }
    assert.equal((await claim('stranger', 'c1')).accepted, 1, 'said again, it is the same');
    const late = await send(['c5', 'c1'].map((customer) => toClaim('stranger', customer)));
    assert.deepEqual([late.dropped.length, late.service_visitor_id], [1, undefined]);
    const page = { ...toClaim('stranger', ''), type: 'pageview', user_id: undefined };
    const waited = await send([toClaim('stranger', 'c5'), page]);
    assert.match(waited.service_visitor_id ?? '', /^[0-9a-f-]{36}$/, 'sent in front of a pageview');
    const before = await send([toClaim('stranger', 'c5'), { ...page, service_visitor_id: 'next' }]);
    assert.deepEqual([before.dropped.length, before.service_visitor_id], [1, undefined]);
    for (const customer of customers) {
      const value = await waitUntil(() => revenueOf(`of-${customer}`), Boolean);
      assert.equal(value, '1.00');
    }
    for (const scope of ['visitor', 'person']) {
      const { person, payments } = await look('stranger', scope);
      assert.deepEqual(
        [person.visitors.map((each) => each.service_visitor_id), person.emails, payments],
        [['stranger'], [], []],
      );
    }
  });

  it('counts as said by a browser when the site’s secret signs it', async () => {
    const { identity_secret: secret } = await runCli<{ identity_secret: string }>(
      ['site', 'set', SITE, '--identify', 'signed'],
      server.dataDir,
    );
    const again = await runCli<object>(['site', 'list'], server.dataDir);
    assert.ok(!JSON.stringify(again).includes(secret), 'it is shown once');
    const user_hash = createHmac('sha256', secret).update('signed-user').digest('hex');
    await waitUntil(
      () => claim('signer', 'signed-user', { user_hash: 'ff' }),
      ({ dropped }) => dropped[0]?.reason === 'identity_unsigned',
    );
    assert.equal((await claim('signer', 'signed-user')).dropped[0]?.reason, 'identity_unsigned');
    assert.equal((await claim('signer', 'other-user', { user_hash })).accepted, 0);
    assert.equal((await claim('signer', 'signed-user', { user_hash })).accepted, 1);
    await caller.post('/api/v1/identify', {
      ...{ service_visitor_id: 'at-work', user_id: 'signed-user' },
    });
    const joined = await waitUntil(
      () => look('signer', 'person'),
      ({ person }) => person.visitors.length === 2,
    );
    assert.deepEqual(joined.person.visitors, [
      ...['signer', 'at-work'].map((service_visitor_id) => ({
        service_visitor_id,
        joined_by: [{ field: 'user_id', value: 'signed-user', source: 'identify' }],
      })),
    ]);
    assert.equal((await look('signer', 'visitor')).person.visitors.length, 1);

    const separated = await look('signer', '', 'DELETE', '/joins');
    assert.deepEqual(separated.separated_from, [{ field: 'user_id', value: 'signed-user' }]);
    await claim('signer', 'signed-user', { user_hash });
    assert.equal((await look('signer', 'person')).person.visitors.length, 1);
    await runCli(['site', 'set', SITE, '--identify', 'default'], server.dataDir);
  });

  it('is told by browsers and backends, joins visitors, and credits payments of the past', async () => {
    const pay = (transaction_id: string, email: string) =>
      caller.payment({ amount: 10, currency: 'USD', transaction_id, email });
    await caller.pageview('phone', '/?utm_source=newsletter');
    await pay('before-anybody-was-known', 'Anna@shop.example');
    await waitUntil(
      () => revenueOf('Unattributed'),
      (value) => value === '10.00',
    );

    const told = await caller.post('/api/v1/identify', {
      service_visitor_id: 'phone',
      user_id: '42',
      email: 'anna@SHOP.example',
    });
    assert.equal(told.status, 200, JSON.stringify(told.body));
    await waitUntil(
      () => revenueOf('newsletter'),
      (value) => value === '10.00',
    );

    const identified = await caller.post('/api/v1/events', {
      site: SITE,
      url: `https://${SITE}/account`,
      type: 'identify',
      service_visitor_id: 'laptop',
      user_id: '42',
      traits: { plan: 'pro' },
    });
    assert.deepEqual(identified.body, { status: 'success', accepted: 1, dropped: [] });
    await caller.payment({
      ...{ amount: 5, currency: 'USD', transaction_id: 'on-the-laptop' },
      service_visitor_id: 'laptop',
    });
    await waitUntil(
      () => revenueOf('newsletter'),
      (value) => value === '15.00',
    );
  });
});
