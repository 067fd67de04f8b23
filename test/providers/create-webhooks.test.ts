import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, it, type TestContext } from 'node:test';
import { connect } from '#providers/connections/connect.ts';
import { createWebhooks } from '#providers/connections/create-webhooks.ts';
import { createOpenSecrets } from '#providers/connections/open-secrets.ts';
import { makeLedgerForEachTest } from '../ledger/ledger-of-test.ts';
import { portsOf } from './walker-of-test.ts';

const KEY = Buffer.alloc(32, 1);
const SECRET = 'whsec_made_by_stripe_1234567';
const stopped = new AbortController().signal;

/** What the provider was asked for, and its next answers. */
type Asked = { readonly path: string; readonly key: string; readonly body: URLSearchParams };

describe('the webhook of a connection with an API key and no signing secret', () => {
  const own = makeLedgerForEachTest();
  let asked: Asked[];
  let answers: (readonly [status: number, body: object])[];
  let clock: number;
  beforeEach(() => {
    [asked, answers, clock] = [[], [[200, { id: 'we_1', secret: SECRET }]], Date.now()];
  });

  /** A connection to a provider that listens here, and what creates its webhook. */
  async function open(t: TestContext, fields: Readonly<Record<string, string>> = {}) {
    const provider = createServer(async (request, response) => {
      const body = new URLSearchParams(await text(request));
      const key = String(request.headers['idempotency-key']);
      asked.push({ path: `${request.method} ${request.url}`, key, body });
      const [status, answer] = answers.shift() ?? [500, {}];
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer));
    }).listen(0, '127.0.0.1');
    await once(provider, 'listening');
    t.after(() => provider.close());
    const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
    const { ledger } = own;
    const ports = { ledger, key: () => KEY, now: () => clock };
    const given = { api_key: 'rk_live_12345678', base_url: url, ...fields };
    const site = await ledger.addSite({ domain: 'example.com', timezone: 'UTC', currency: 'EUR' });
    assert.ok(site.ok);
    const { id: siteId } = site.value;
    const made = await connect(ports, { siteId, provider: 'stripe', fields: given });
    assert.ok(made.ok);
    await ledger.refresh();
    const openSecrets = createOpenSecrets(() => KEY);
    const { listConnections, noteConnectionError } = ledger;
    const create = createWebhooks({
      ...{ ...portsOf(ledger, url, {}, { openSecrets }), ...ports },
      ...{ publicUrl: 'https://hi.example.com', listConnections, noteConnectionError },
    });
    const look = async () => {
      const [connection] = await ledger.listConnections();
      assert.ok(connection);
      const { signingSecrets } = openSecrets(connection, clock);
      return { id: connection.id, signingSecrets, lastError: connection.lastError };
    };
    return { create: () => create(stopped), look };
  }

  it('is created for the events that count, with its secret kept, once', async (t) => {
    const { create, look } = await open(t);
    await create();
    await create();
    const { id, signingSecrets } = await look();
    assert.deepEqual(signingSecrets, [SECRET]);
    const [request] = asked;
    assert.equal(asked.length, 1);
    assert.equal(request?.path, 'POST /v1/webhook_endpoints');
    assert.equal(request?.body.get('url'), `https://hi.example.com/webhooks/${id}`);
    assert.equal(request?.key, request?.body.get('url'));
    assert.match(request?.body.get('api_version') ?? '', /^\d{4}-\d\d-\d\d/);
    assert.ok(request?.body.getAll('enabled_events[]').includes('charge.succeeded'));
  });

  it('is not created with a key that may not, and the connection says so once', async (t) => {
    answers = [[403, { error: { message: 'The key lacks a permission.' } }]];
    const { create, look } = await open(t);
    await create();
    await create();
    assert.equal(asked.length, 1);
    const { signingSecrets, lastError } = await look();
    assert.deepEqual(signingSecrets, []);
    assert.match(
      lastError ?? '',
      /create it by hand, or allow the key to\..*lacks a permission\.$/,
    );
  });

  it('is asked for again after a minute when the provider does not answer', async (t) => {
    answers = [
      [503, {}],
      [200, { secret: SECRET }],
    ];
    const { create, look } = await open(t);
    await create();
    await create();
    assert.equal(asked.length, 1);
    clock += 61_000;
    await create();
    assert.deepEqual((await look()).signingSecrets, [SECRET]);
  });

  it('is left to people where another account receives the events, or a secret is known', async (t) => {
    const { create } = await open(t, { account: 'acct_1' });
    await create();
    assert.deepEqual(asked, []);
  });
});
