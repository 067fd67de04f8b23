import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, it, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../../architecture/source-files.ts';
import { installCopy } from '../examples/run-example.ts';
import { installPacked } from './pack-packages.ts';

const BASE = 'https://shop.example';
const VISITOR = 'visitor-7';

/** What the plug-ins ask their providers, by the provider's host. */
type Asked = Map<string, string>;

describe('checkouts of Better Auth’s own plug-ins', () => {
  let folder: string | undefined;
  let unreachable: string | undefined;

  before(async () => {
    const installed = await installCopy(join(ROOT, 'test/shipped/packages/checkouts'));
    if ('unreachable' in installed) {
      unreachable = installed.unreachable;
      return;
    }
    folder = installed.folder;
    await installPacked(folder);
  });

  it('carry the visitor to Stripe, Polar and Creem', async (t) => {
    if (unreachable !== undefined) return t.skip(unreachable);
    const asked = answerForProviders(t);
    const { openShop } = await import(pathToFileURL(join(folder ?? '', 'shop.js')).href);
    const handler: (request: Request) => Promise<Response> = openShop(BASE);
    let cookie = `service_visitor_id=${VISITOR}`;
    const post = (path: string, body: object) =>
      handler(
        new Request(`${BASE}/api/auth${path}`, {
          method: 'POST',
          headers: { origin: BASE, 'content-type': 'application/json', cookie },
          body: JSON.stringify(body),
        }),
      );
    const ada = { name: 'Ada', email: 'ada@shop.example', password: 'correct horse battery' };
    const { headers } = await post('/sign-up/email', ada);
    cookie += `; ${headers
      .getSetCookie()
      .map((each) => each.split(';', 1)[0])
      .join('; ')}`;
    await post('/subscription/upgrade', { plan: 'pro', successUrl: '/ok', cancelUrl: '/no' });
    await post('/checkout', { slug: 'pro' });
    await post('/creem/create-checkout', { productId: 'prod_1' });

    const ofStripe = new URLSearchParams(asked.get('api.stripe.com/v1/checkout/sessions'));
    assert.equal(ofStripe.get('metadata[service_visitor_id]'), VISITOR);
    assert.equal(ofStripe.get('subscription_data[metadata][service_visitor_id]'), VISITOR);
    for (const path of ['api.polar.sh/v1/checkouts/', 'test-api.creem.io/v1/checkouts']) {
      const { metadata } = JSON.parse(asked.get(path) ?? '{}');
      assert.equal(metadata?.service_visitor_id, VISITOR, path);
    }
  });
});

/** Plays the providers, as far as the plug-ins need it to create a checkout. */
function answerForProviders(t: TestContext): Asked {
  const asked: Asked = new Map();
  t.mock.method(console, 'error', () => {}); // Polar's answer is not a whole one.
  t.mock.method(globalThis, 'fetch', async (...given: Parameters<typeof fetch>) => {
    const request = new Request(...given);
    const { host, pathname } = new URL(request.url);
    asked.set(`${host}${pathname}`, await request.text());
    if (host === 'api.stripe.com' && request.method === 'GET') {
      return Response.json({ object: 'list', data: [], has_more: false });
    }
    const url = `https://${host}/pay`;
    return Response.json({ id: 'checkout_1', object: 'checkout.session', url });
  });
  return asked;
}
