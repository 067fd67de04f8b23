import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import Stripe from 'stripe';
import { chargeObject } from '../../providers/stripe-world.ts';
import { type HistoryStub, startHistoryStub } from '../../providers/stub-of-history.ts';
import { addSite, createKey } from '../../server/add-site.ts';
import { callerOf } from '../../server/caller.ts';
import { runCli, startServer, type TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

const NOVEMBER = ['2026-11-01', '2026-11-30'];
const SECRET = 'whsec_5f1c2a9e7b3d4f60a1b2c3d4';
const KEY = 'rk_live_5f1c2a9e7b3d4f60';

type Walk = { state: string; pages: number; reached: string | null; error: string | null };
type Shown = {
  id: string;
  payments: { all: number };
  history: Walk | null;
  poll: Walk | null;
  missed: string | null;
  last_error: string | null;
};

let stub: HistoryStub;
let server: TestServer;
before(async () => {
  stub = await startHistoryStub('stripe');
  stub.isAnyTime = true;
  process.env.TRUSTED_PROVIDER_APIS = stub.url;
  server = await startServer();
  await addSite(server.dataDir, 'shop.example', { currency: 'EUR' });
});
after(async () => {
  await server.stop();
  server.cleanUp();
  await stub.stop();
  delete process.env.TRUSTED_PROVIDER_APIS;
});

const cli = <T>(...args: string[]): Promise<T> => runCli(['provider', ...args], server.dataDir);
const connect = (...more: string[]) =>
  cli<Shown>(
    'connect',
    'stripe',
    '--site',
    'shop.example',
    '--set',
    `base_url=${stub.url}`,
    ...more,
  );

describe('the history of a connection with an API key', () => {
  let id: string;

  it('is read by the server, and is in the figures', async () => {
    ({ id } = await connect('--api-key', KEY, '--signing-secret', SECRET));
    await waitUntil(
      () => cli<Shown>('show', id),
      (shown) => shown.history?.state === 'done' && shown.payments.all === stub.adds.length,
    );
    const { payments, history, poll, missed } = await cli<Shown>('show', id);
    assert.deepEqual([history?.pages, history?.error, poll?.state], [8, null, 'waiting']);
    assert.deepEqual([payments.all, missed], [stub.adds.length, null]);
    const key = await createKey(server.dataDir, 'shop.example');
    const caller = callerOf(server.url, 'shop.example', key);
    const query = { metrics: ['gross_revenue', 'refunds', 'disputes'], date_range: NOVEMBER };
    await waitUntil(
      () => caller.query(query),
      ({ body }) => {
        const [row] = (body as { results: { metrics: { value: string }[] }[] }).results;
        return row?.metrics.map(({ value }) => value).join(' ') === '163.00 30.00 40.00';
      },
    );
  });

  it('is read again by the command, beside the server, without a change', async () => {
    const ended = await cli<Walk & { payments: number }>('backfill', id, '--since', '2026-01-31');
    assert.deepEqual([ended.state, ended.pages, ended.payments], ['done', 8, stub.adds.length]);
  });

  it('is in Health and on the command line, if the key may not read it', async () => {
    stub.judge = (path) => (path.startsWith('/v1/disputes') ? 403 : undefined);
    const ended = await cli<Walk>('backfill', id, '--since', '2026-01-31');
    assert.match(ended.error ?? '', /The list of disputes is left out/);
    stub.judge = () => undefined;
  });

  it('completes a thin event, which only names its object', async () => {
    const at = Math.floor(Date.now() / 1_000);
    stub.objects.set('/v1/charges/ch_thin', chargeObject('thin', at, { livemode: true }));
    const thin = {
      ...{ id: 'evt_thin', object: 'v2.core.event', type: 'v1.charge.succeeded', livemode: true },
      related_object: { id: 'ch_thin', type: 'charge', url: '/v1/charges/ch_thin' },
    };
    const payload = JSON.stringify(thin);
    const header = new Stripe('sk_test_of_nobody').webhooks.generateTestHeaderString({
      ...{ payload, secret: SECRET },
    });
    const sent = await fetch(`${server.url}/webhooks/${id}`, {
      ...{ method: 'POST', body: payload, headers: { 'stripe-signature': header } },
    });
    assert.equal(sent.status, 200);
    await waitUntil(
      () => cli<Shown>('show', id),
      ({ payments, last_error }) => payments.all === stub.adds.length + 1 && last_error === null,
    );
  });

  it('needs a key, and says how to give one', async () => {
    const other = await connect();
    await assert.rejects(cli('backfill', other.id), /History needs an API key: .* rotate/s);
  });

  it('does not send a key elsewhere that was given for another address', async () => {
    await assert.rejects(
      cli('rotate', id, '--set', 'base_url=https://evil.example'),
      /api_key must be given again/,
    );
  });
});

it('without the server, the command reads the history itself', async () => {
  const { id } = await connect('--api-key', KEY);
  await server.stop();
  const ended = await cli<Walk & { payments: number }>('backfill', id);
  assert.deepEqual([ended.state, ended.pages], ['done', 8]);
});
