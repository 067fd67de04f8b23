import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addCaller, type Caller } from '../../server/caller.ts';
import { startServer, type TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

describe('who a visitor is', () => {
  let server: TestServer;
  let caller: Caller;
  before(async () => {
    server = await startServer();
    caller = await addCaller(server.url, server.dataDir, 'example.com');
  });
  after(async () => {
    await server.stop();
    server.cleanUp();
  });

  async function revenueOf(source: string): Promise<string | undefined> {
    const { body } = await caller.query({ metrics: ['revenue'], dimensions: ['visit:source'] });
    const rows = (body as { results?: { dimensions: string[]; metrics: { value: string }[] }[] })
      .results;
    return rows?.find(({ dimensions }) => dimensions[0] === source)?.metrics[0]?.value;
  }

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
      site: 'example.com',
      url: 'https://example.com/account',
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
