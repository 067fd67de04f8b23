import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { addSite, createKey } from '../../server/add-site.ts';
import { type Caller, callerOf } from '../../server/caller.ts';
import { shareServer } from '../../server/share-server.ts';
import { runCli, type TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

const SITE = 'connected-providers.example';

type Connected = { id: string; webhook_url: string; missing: string[] };
type Step = { step: string; ok: boolean; found: string };

let server: TestServer;
let caller: Caller;
before(async () => {
  server = await shareServer();
  await addSite(server.dataDir, SITE, { currency: 'USD' });
  const key = await createKey(server.dataDir, SITE);
  caller = callerOf(server.url, SITE, key);
});

const cli = <T>(...args: string[]): Promise<T> => runCli(['provider', ...args], server.dataDir);
const connect = (name: string, ...fields: string[]) =>
  cli<Connected>('connect', name, '--site', SITE, ...fields);
const secret = (text: string) => ['--signing-secret', text];

/** Sends a body to a connection's address. Returns the HTTP status. */
async function post(url: string, body: string, type: string): Promise<number> {
  const { pathname, search } = new URL(url);
  const headers = { 'content-type': type };
  const answer = await fetch(`${server.url}${pathname}${search}`, {
    method: 'POST',
    body,
    headers,
  });
  await answer.arrayBuffer();
  return answer.status;
}

describe('connections of other providers', () => {
  const cases: readonly [string, readonly string[]][] = [
    ['paddle', secret('pdl_ntfset_1234')],
    ['polar', secret('whsec_polar')],
    ['paystack', secret('sk_live_1234')],
    ['gumroad', ['--set', 'seller_id=seller==']],
    [
      'generic',
      [...secret('a secret'), '--set', 'id_path=data.id', '--set', 'amount_path=data.amount'],
    ],
  ];
  for (const [name, fields] of cases) {
    it(`to ${name} pass their own test`, async () => {
      const more = name === 'generic' ? ['--set', 'currency=USD'] : [];
      const { id, missing } = await connect(name, ...fields, ...more);
      assert.deepEqual(missing, []);
      const steps = await cli<Step[]>('test', id);
      assert.deepEqual(
        steps.filter(({ ok }) => !ok),
        [],
      );
    });
  }

  it('to Gumroad count sales that come as forms, at the address with its token only', async () => {
    const { webhook_url: url } = await connect('gumroad', '--set', 'seller_id=seller==');
    const sale = {
      ...{ seller_id: 'seller==', sale_id: 'sale-1==', price: '4900', product_name: 'Tea book' },
      ...{ sale_timestamp: new Date().toISOString(), 'url_params[service_visitor_id]': 'anna' },
    };
    const form = 'application/x-www-form-urlencoded';
    const send = (address: string) => post(address, `${new URLSearchParams(sale)}`, form);
    assert.equal(await send(url.replace(/\?.*/, '')), 401);
    assert.equal(await send(`${url}x`), 401);
    assert.equal(await send(url), 200);
    const found = await waitUntil(
      () => caller.query({ metrics: ['revenue'], dimensions: ['payment:product'] }),
      ({ body }) => JSON.stringify(body).includes('Tea book'),
    );
    assert.match(JSON.stringify(found.body), /"49\.00"/);
  });

  it('to Gumroad get another address at any time; the one before is taken for a while', async () => {
    const { id, webhook_url: before } = await connect('gumroad', '--set', 'seller_id=seller==');
    const { webhook_url: after } = await cli<Connected>('rotate', id);
    assert.notEqual(after, before);
    assert.equal(after.split('?')[0], before.split('?')[0]);
    const send = (url: string) =>
      post(url, 'seller_id=seller%3D%3D&sale_id=s&test=true', 'application/x-www-form-urlencoded');
    assert.deepEqual([await send(after), await send(before)], [200, 200]);
  });

  it('to WooCommerce answer its first call', async () => {
    const { webhook_url: url } = await connect('woocommerce', ...secret('woo'));
    assert.equal(await post(url, 'webhook_id=7', 'application/x-www-form-urlencoded'), 200);
    assert.equal(await post(url, 'webhook_id=7&x=1', 'application/x-www-form-urlencoded'), 401);
  });
});
