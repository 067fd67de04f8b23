import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type BrowserCalls, openBrowserCalls, signInAsOwner } from '../../server/browser-calls.ts';
import { shareServer } from '../../server/share-server.ts';
import type { TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

describe('sites in the hands of people', () => {
  let server: TestServer;
  let anna: BrowserCalls;
  let id: string;
  let path: string;

  before(async () => {
    server = await shareServer({ RATE_LIMIT_READS: '0' });
    anna = await signInAsOwner(server);
  });

  it('are added, and refused with a sentence', async () => {
    const wanted = { domain: 'www.Shop.example', timezone: 'Europe/Berlin', currency: 'eur' };
    const { status, body } = await anna.call('POST', '/api/v1/sites', wanted);
    assert.equal(status, 200);
    const { id: given, created_at, ...site } = body;
    id = given;
    path = `/api/v1/sites/${id}`;
    assert.match(`${id} ${created_at}`, /^site_\w{16} \d{4}-.*Z$/);
    assert.deepEqual(site, {
      ...{ domain: 'shop.example', name: '', timezone: 'Europe/Berlin', currency: 'EUR' },
      allowed_hosts: [],
      settings: {
        ...{ retention: null, data_centres: null, cookieless: null, identify: null },
        ...{ provider_events: null, mask_paths: null, exclude: null },
      },
      ...{ channels: [], has_identity_secret: false },
    });
    for (const [wrong, message] of [
      [{ domain: 'shop.example' }, /already exists/],
      [{ domain: 'no domain' }, /is not a domain/],
      [{ domain: 'b.example', timezone: 'Mars/One' }, /is not a time zone/],
      [{ domain: 'b.example', currency: 'XXXX' }, /is not an ISO 4217 currency code/],
      [{ domain: 'b.example', colour: 'red' }, /colour/],
    ] as const) {
      const refused = await anna.call('POST', '/api/v1/sites', wrong);
      assert.equal(refused.status, 400);
      assert.match(refused.body.error.message, message);
    }
    const listed = await anna.call('GET', '/api/v1/sites');
    const own = listed.body.sites.filter((each: { id: string }) => each.id === id);
    assert.deepEqual(own, [body]);
    assert.deepEqual((await anna.call('GET', path)).body, body);
  });

  it('are changed in all that the command can, and back', async () => {
    const channels = [
      { name: 'Partners', where: [{ field: 'source', op: 'is', value: 'partner.example' }] },
    ];
    const changed = await anna.call('PATCH', path, {
      ...{ name: 'The shop', timezone: 'Asia/Kolkata', currency: 'USD' },
      allowed_hosts: ['checkout.example'],
      settings: {
        ...{ retention: '25mo', data_centres: 'bots', cookieless: 'gpc', identify: 'signed' },
        ...{ provider_events: '30d', mask_paths: ['/orders/*', '!/docs/**'] },
        exclude: ['203.0.113.0/24', 'DE', '/admin/**'],
      },
      channels,
    });
    assert.equal(changed.status, 200);
    const { identity_secret: secret, ...site } = changed.body;
    assert.match(secret, /^idsec_/);
    assert.deepEqual(
      [site.name, site.timezone, site.currency],
      ['The shop', 'Asia/Kolkata', 'USD'],
    );
    assert.deepEqual(site.allowed_hosts, ['checkout.example']);
    assert.deepEqual(site.settings, {
      ...{ retention: '25mo', data_centres: 'bots', cookieless: 'gpc', identify: 'signed' },
      ...{ provider_events: '30d', mask_paths: ['/orders/*', '!/docs/**'] },
      exclude: ['203.0.113.0/24', 'DE', '/admin/**'],
    });
    assert.deepEqual(site.channels, channels);
    assert.equal((await anna.call('GET', path)).body.identity_secret, undefined);
    const other = await anna.call('POST', `${path}/identity-secret`);
    assert.match(other.body.identity_secret, /^idsec_/);
    assert.notEqual(other.body.identity_secret, secret);

    const unset = { retention: null, data_centres: null, cookieless: null, identify: null };
    const back = { ...unset, provider_events: null, mask_paths: null, exclude: null };
    const undone = await anna.call('PATCH', path, { settings: back, channels: [] });
    assert.deepEqual([undone.body.settings, undone.body.channels], [back, []]);
    for (const wrong of [
      { settings: { retention: 'long' } },
      { settings: { provider_events: 'never' } },
      { settings: { colour: 'red' } },
      { name: 'half', channels: [{ name: '', where: [] }] },
    ]) {
      assert.equal((await anna.call('PATCH', path, wrong)).status, 400);
    }
    assert.equal((await anna.call('GET', path)).body.name, 'The shop');
    const settings = { retention: 'long', data_centres: 'cats', mask_paths: ['/order-*'] };
    const { error } = (await anna.call('PATCH', path, { settings })).body;
    assert.deepEqual(error.details, [
      {
        path: '/settings/retention',
        message: 'must be a time from 1d to 20y, such as 90d, 25mo or 2y',
      },
      { path: '/settings/data_centres', message: 'must be bots or people' },
      {
        path: '/settings/mask_paths',
        message:
          'must be at most 20 paths such as /orders/* or /u/**, whose stars are whole segments',
      },
    ]);
  });

  it('have on record only what a change really changed, with the values before and after', async () => {
    const { body } = await anna.call('GET', path);
    const { domain, name, timezone, currency, allowed_hosts } = body;
    const sent = { domain, name, timezone, currency, allowed_hosts };
    const save = (settings: object) => anna.call('PATCH', path, { ...sent, settings });
    const noted = async () => (await anna.call('GET', `${path}/audit`)).body.entries;
    const before = await noted();
    assert.equal((await save({ retention: null })).status, 200);
    assert.deepEqual(await noted(), before, 'nothing changed');
    await save({ retention: '2y' });
    await save({ retention: '90d' });
    await save({ retention: null });
    assert.deepEqual(
      (await noted()).slice(0, 3).map(({ about }: { about: string }) => about),
      ['retention: 90d → default', 'retention: 2y → 90d', 'retention: default → 2y'],
    );
  });

  it('show their tag, and what is wrong before the first pageview and after', async () => {
    const { body } = await anna.call('GET', `${path}/script`);
    assert.equal(
      body.tag,
      `<script async data-site="shop.example" src="${server.url}${body.path}"></script>`,
    );
    assert.equal((await fetch(body.src)).status, 200);

    const before = await anna.call('GET', `${path}/health`);
    assert.deepEqual([before.status, before.body.pageview_at], [200, null]);
    const failed = ({ checks }: { checks: { name: string; ok: boolean }[] }) =>
      checks.filter(({ ok }) => !ok).map(({ name }) => name);
    assert.deepEqual(failed(before.body), ['script']);

    await pageview('https://shop.example/');
    await pageview('https://stranger.example/');
    await pageview('file:///home/anna/shop.html');
    const { body: after } = await waitUntil(
      () => anna.call('GET', `${path}/health`),
      ({ body: { pageview_at: at, dropped } }) => at !== null && dropped[0]?.count === 2,
    );
    assert.deepEqual(failed(after), ['hosts']);
    assert.deepEqual(after.refused_hosts, ['stranger.example']);
    assert.deepEqual(after.dropped, [{ reason: 'hostname_not_allowed', count: 2 }]);
  });

  it('have keys: created, used, rotated with an overlap, revoked', async () => {
    const keys = `${path}/keys`;
    const made = await anna.call('POST', keys, { name: 'backend', scopes: ['stats:read'] });
    assert.equal(made.status, 200);
    assert.deepEqual([made.body.state, made.body.scopes], ['live', ['stats:read']]);
    assert.equal(await readsWith(made.body.key), 200);
    const rotated = await anna.call('POST', `${keys}/${made.body.id}/rotate`, { overlap_hours: 1 });
    assert.deepEqual(
      [await readsWith(made.body.key), await readsWith(rotated.body.key)],
      [200, 200],
    );
    const revoked = await anna.call('DELETE', `${keys}/${rotated.body.id}`);
    assert.equal(revoked.body.state, 'revoked');
    assert.equal(await readsWith(rotated.body.key), 401);
    const again = await anna.call('POST', `${keys}/${rotated.body.id}/rotate`, {});
    assert.equal(again.status, 404);
    const listed = await anna.call('GET', keys);
    assert.deepEqual(
      listed.body.keys.map(({ state, key }: Record<string, string>) => [state, key]),
      [
        ['live', undefined],
        ['revoked', undefined],
      ],
    );
    for (const wrong of [{ scopes: [] }, { scopes: ['metrics:read'] }, { name: 'x' }]) {
      assert.equal((await anna.call('POST', keys, wrong)).status, 400);
    }
  });

  it('keep the keys of one another out of reach', async () => {
    const other = await anna.call('POST', '/api/v1/sites', { domain: 'other.example' });
    const theirs = `/api/v1/sites/${other.body.id}/keys`;
    const { body } = await anna.call('POST', theirs, { scopes: ['stats:read'] });
    assert.equal((await anna.call('DELETE', `${path}/keys/${body.id}`)).status, 404);
    assert.equal((await anna.call('POST', `${path}/keys/${body.id}/rotate`, {})).status, 404);
    assert.equal(await readsWith(body.key, 'other.example'), 200);
  });

  it('name a person who has improbably many visitors', async () => {
    const { body: key } = await anna.call('POST', `${path}/keys`, { scopes: ['events:write'] });
    const identify = async (visitors: readonly string[]) => {
      const events = visitors.map((service_visitor_id) => ({
        ...{ site: 'shop.example', type: 'identify', service_visitor_id, user_id: 'everybody' },
      }));
      const answer = await fetch(`${server.url}/api/v1/events`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ events }),
      });
      const { accepted } = (await answer.json()) as { accepted: number };
      assert.equal(accepted, visitors.length);
    };
    const find = async (): Promise<{ ok: boolean; message: string }> => {
      const { body } = await anna.call('GET', `${path}/health`);
      return body.checks.find(({ name }: { name: string }) => name === 'persons');
    };
    await identify(Array.from({ length: 49 }, (_, index) => `v-${index}`));
    await identify(Array.from({ length: 9 }, (_, index) => `daily-${index}`));
    await waitUntil(
      () => anna.call('GET', `${path}/health`),
      ({ body }) => body.behind_seconds === 0,
    );
    assert.equal((await find()).ok, true);
    await identify(['one-more']);
    const { message } = await waitUntil(find, ({ ok }) => !ok);
    assert.match(
      message,
      /^50 visitors are one person, "everybody"\. .*`tributary visitor separate`/,
    );
  });

  it('are nobody else’s business', async () => {
    const stranger = openBrowserCalls(server.url);
    const { paths } = (await anna.call('GET', '/openapi.json')).body;
    const operations = Object.entries<Record<string, { security?: object[] }>>(paths).flatMap(
      ([each, methods]) =>
        Object.entries(methods)
          .filter(([, { security = [] }]) => security.some((by) => 'session' in by))
          .map(([method]) => ({ method: method.toUpperCase(), each })),
    );
    assert.ok(operations.length >= 12, `${operations.length}`);
    for (const { method, each } of operations) {
      const filled = each.replace('{id}', id).replaceAll(/\{\w+\}/g, 'x');
      const body = ['POST', 'PATCH'].includes(method) ? {} : undefined;
      assert.equal((await stranger.call(method, filled, body)).status, 401, `${method} ${each}`);
      const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
      assert.equal((await anna.call(method, filled, body, foreign)).status, 401);
      if (!each.includes('{id}')) continue;
      const gone = filled.replace(id, 'site_0000000000000000');
      assert.equal((await anna.call(method, gone, body)).status, 403, `${method} ${gone}`);
    }
  });

  it('are removed, with their keys', async () => {
    const { body } = await anna.call('POST', `${path}/keys`, { scopes: ['stats:read'] });
    const removed = await anna.call('DELETE', path);
    assert.deepEqual(removed.body, { id, domain: 'shop.example', removed: true });
    assert.equal((await anna.call('GET', path)).status, 403);
    assert.equal(await readsWith(body.key), 401);
  });

  async function readsWith(key: string, site = 'shop.example'): Promise<number> {
    const query = { site_id: site, date_range: '7d', metrics: ['visitors'] };
    const answer = await fetch(`${server.url}/api/v1/query`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(query),
    });
    await answer.arrayBuffer();
    return answer.status;
  }

  async function pageview(url: string): Promise<void> {
    const sent = { site: 'shop.example', type: 'pageview', url };
    const answer = await fetch(`${server.url}/api/v1/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': BROWSER },
      body: JSON.stringify({ ...sent, service_visitor_id: crypto.randomUUID() }),
    });
    await answer.arrayBuffer();
  }
});
