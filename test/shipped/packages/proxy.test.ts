import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { before, describe, it } from 'node:test';
import { addressFrom, type ForwardOptions, forward } from '../../../packages/proxy/src/index.ts';
import { openListeners } from '../../packages/open-listener.ts';
import { addSite } from '../../server/add-site.ts';
import { addCaller, type Caller } from '../../server/caller.ts';
import { shareServer } from '../../server/share-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const ORIGIN = 'https://www.proxied.example';
/** In the United Kingdom and in Sweden. */
const [VISITOR, OTHER] = ['81.2.69.142', '89.160.20.112'];

describe('a site’s own route for the script', () => {
  let url: string;
  let caller: Caller;

  before(async () => {
    const server = await shareServer();
    url = server.url;
    caller = await addCaller(url, server.dataDir, 'proxied.example');
  });

  /** A pageview, as a browser sends it to the page's own origin. */
  function toPageview(visitor: string, headers: Record<string, string> = {}): Request {
    const pageview = { site: 'proxied.example', type: 'pageview', url: `${ORIGIN}/` };
    return new Request(`${ORIGIN}/t.js`, {
      method: 'POST',
      headers: {
        ...{ host: 'www.proxied.example', origin: ORIGIN, 'user-agent': FIREFOX },
        ...{ 'content-type': 'text/plain', cookie: 'secret=of-the-site', ...headers },
      },
      body: JSON.stringify({ events: [{ ...pageview, service_visitor_id: visitor }] }),
    });
  }

  async function showsCountry(visitor: string, country: string | null): Promise<void> {
    const shown = async () => {
      const answer = await fetch(`${url}/api/v1/visitors/${visitor}`, {
        headers: { authorization: `Bearer ${caller.key}` },
      });
      return ((await answer.json()) as { visits?: { country?: string }[] }).visits?.[0];
    };
    const visit = await waitUntil(shown, (found) => found !== undefined);
    assert.equal(visit?.country || null, country);
  }

  it('serves the script, and says when it has not changed', async () => {
    const get = (headers = {}) => forward(new Request(`${ORIGIN}/t.js`, { headers }), { url });
    const script = await get();
    assert.equal(script.status, 200);
    assert.match(script.headers.get('content-type') ?? '', /javascript/);
    assert.match(script.headers.get('cache-control') ?? '', /max-age=3600/);
    assert.match(await script.text(), /service_visitor_id/);
    const etag = script.headers.get('etag') ?? '';
    assert.equal((await get({ 'if-none-match': etag })).status, 304);
  });

  it('sets the visitor’s cookie for the whole site, from the server', async () => {
    const answer = await forward(toPageview('cookie'), { url, key: caller.key });
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.headers.getSetCookie(), [
      'service_visitor_id=cookie; Path=/; Max-Age=31536000; SameSite=Lax; Domain=proxied.example; Secure',
    ]);
  });

  it('gives each visitor their own place, though Tributary trusts no proxy', async () => {
    const through = { 'x-forwarded-for': `${VISITOR}, 10.0.0.7` };
    await forward(toPageview('of-the-uk', through), { url, key: caller.key, peer: '127.0.0.1' });
    await showsCountry('of-the-uk', 'GB');
  });

  it('distinguishes visitors of a cookieless site by their own addresses', async () => {
    const { dataDir } = await shareServer();
    await addSite(dataDir, 'quiet.example', { settings: { cookieless: 'always' } });
    const page = 'https://quiet.example';
    const idOf = async (address: string) => {
      const request = new Request(`${page}/t.js`, {
        method: 'POST',
        headers: { 'user-agent': FIREFOX, origin: page, 'x-forwarded-for': address },
        body: JSON.stringify({ site: 'quiet.example', type: 'pageview', url: `${page}/` }),
      });
      const answer = await forward(request, { url, key: caller.key });
      return ((await answer.json()) as { service_visitor_id?: string }).service_visitor_id;
    };
    const first = await waitUntil(
      () => idOf(VISITOR),
      (id) => id !== undefined,
    );
    assert.match(first ?? '', /^daily-/);
    assert.equal(await idOf(VISITOR), first);
    assert.notEqual(await idOf(OTHER), first);
  });

  it('gives no place rather than the server’s', async () => {
    await forward(toPageview('of-nowhere'), { url, key: caller.key });
    await showsCountry('of-nowhere', null);
  });

  it('with a wrong key counts visitors without a place, and says so once', async (t) => {
    const said = t.mock.method(console, 'error', () => {});
    const key = `trib_${'a'.repeat(49)}`;
    for (const visitor of ['wrong-1', 'wrong-2']) {
      const through = { 'x-forwarded-for': VISITOR };
      assert.equal((await forward(toPageview(visitor, through), { url, key })).status, 200);
      await showsCountry(visitor, null);
    }
    assert.equal(said.mock.callCount(), 1);
    assert.match(String(said.mock.calls[0]?.arguments), /scope events:write/);
  });

  it('does not make a browser’s claims trusted by its key', async () => {
    const claim = { site: 'proxied.example', type: 'identify', user_id: '7', url: `${ORIGIN}/` };
    for (const visitor of ['claim-1', 'claim-2']) {
      await forward(toPageview(visitor), { url, key: caller.key });
      const request = new Request(toPageview(visitor), {
        body: JSON.stringify({ events: [{ ...claim, service_visitor_id: visitor }] }),
      });
      await forward(request, { url, key: caller.key });
    }
    await showsCountry('claim-2', null);
    const answer = await fetch(`${url}/api/v1/visitors/claim-1?scope=person`, {
      headers: { authorization: `Bearer ${caller.key}` },
    });
    const { person } = (await answer.json()) as { person: { visitors: unknown[] } };
    assert.equal(person.visitors.length, 1);
  });

  describe('in front of a server that is not as it should be', () => {
    const { open, close } = openListeners();

    it('passes on no cookie of the site, and the key to nobody else', async () => {
      const seen: IncomingHttpHeaders[] = [];
      const to = await open(({ headers }, response) => {
        seen.push(headers);
        response.writeHead(302, { location: 'https://elsewhere.example' }).end();
      });
      const answer = await forward(toPageview('ada'), { url: to, key: caller.key });
      assert.deepEqual([answer.status, answer.headers.get('location')], [502, null]);
      assert.match(await answer.text(), /TRIBUTARY_URL redirects/);
      assert.equal(seen.length, 1);
      assert.equal(seen[0]?.cookie, undefined);
      assert.equal(seen[0]?.['x-tributary-key'], caller.key);
      assert.equal(answer.headers.get('x-tributary-key'), null);
    });

    it('answers so that the browser keeps its events', async () => {
      const dead = await open(() => {});
      close();
      const slow = await open(() => {});
      const faults: readonly ForwardOptions[] = [
        { url: dead },
        { url: slow, timeoutMs: 50 },
        { url: '' },
      ];
      for (const options of faults) {
        const { status } = await forward(toPageview('ada'), options);
        assert.ok(status >= 500, String(status));
      }
    });

    it('says what to set if it is told no address', async () => {
      for (const to of ['', 'hi.example.com', 'ftp://hi.example.com']) {
        const answer = await forward(toPageview('ada'), { url: to });
        assert.equal(answer.status, 503);
        assert.match(await answer.text(), /Set TRIBUTARY_URL to an address/);
      }
    });

    it('is no way to anything else', async () => {
      const to = await open(() => assert.fail('it was asked'));
      const put = new Request(`${ORIGIN}/t.js`, { method: 'PUT', body: '{}' });
      assert.equal((await forward(put, { url: to })).status, 405);
      const large = new Request(toPageview('ada'), { body: 'x'.repeat(2 ** 20 + 1) });
      assert.equal((await forward(large, { url: to })).status, 413);
    });
  });
});

describe('the visitor’s address', () => {
  const CASES: readonly (readonly [string, ...Parameters<typeof from>, string | undefined])[] = [
    ['is the peer, if nobody forwards', undefined, { peer: VISITOR }, VISITOR],
    ['is what the one proxy appended', VISITOR, { peer: '127.0.0.1' }, VISITOR],
    ['is no address that the visitor made up', `${OTHER}, ${VISITOR}`, { peer: '::1' }, VISITOR],
    ['is no made-up one of somebody without a proxy', OTHER, { peer: VISITOR }, VISITOR],
    ['is before proxies of one’s own', `${VISITOR}, 10.1.2.3, 172.17.0.1`, {}, VISITOR],
    ['is before a CDN', `${VISITOR}, ${OTHER}`, { publicProxies: 1 }, VISITOR],
    ['is none if the CDN was left out', OTHER, { publicProxies: 1 }, undefined],
    ['has no port', `${VISITOR}:52113`, {}, VISITOR],
    ['may be of version 6', '[2a00:1450:4001:82a::200e]:443', {}, '2a00:1450:4001:82a::200e'],
    ['is of version 4 within one of 6', `::ffff:${VISITOR}`, {}, VISITOR],
    ['is none if a proxy hides it', 'unknown, _hidden', {}, undefined],
    ['is a private one in a private network', '192.168.1.9, 127.0.0.1', {}, '192.168.1.9'],
    ['is this machine’s on this machine', undefined, { peer: '::1' }, '::1'],
    ['is none without any', undefined, {}, undefined],
  ];
  function from(chain: string | undefined, options: ForwardOptions) {
    return addressFrom(
      new Headers(chain === undefined ? {} : { 'x-forwarded-for': chain }),
      options,
    );
  }
  for (const [rule, chain, options, expected] of CASES) {
    it(rule, () => assert.equal(from(chain, options), expected));
  }

  it('is in the header that the host sets, and nowhere else then', () => {
    const headers = new Headers({ 'cf-connecting-ip': VISITOR, 'x-forwarded-for': OTHER });
    assert.equal(addressFrom(headers, { addressHeader: 'CF-Connecting-IP' }), VISITOR);
    assert.equal(addressFrom(headers, { addressHeader: 'fly-client-ip' }), undefined);
  });
});
