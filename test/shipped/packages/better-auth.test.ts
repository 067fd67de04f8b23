import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { afterEach, before, describe, it } from 'node:test';
import { createTributary } from '@tributary/server';
import { betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';
import { createAuthEndpoint } from 'better-auth/api';
import { createAuthClient } from 'better-auth/client';
import { anonymous } from 'better-auth/plugins';
import { tributaryClient } from '../../../packages/better-auth/src/client.ts';
import { type TributaryPluginOptions, tributary } from '../../../packages/better-auth/src/index.ts';
import { addCaller, type Caller } from '../../server/caller.ts';
import { shareServer } from '../../server/share-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

const BASE = 'https://shop.example';
const SECRET = 'identity-secret-of-the-site';
const ADA = { name: 'Ada', email: 'ada@shop.example', password: 'correct horse battery' };

describe('@tributary/better-auth in Better Auth', () => {
  let url: string;
  let caller: Caller;
  let visitors = 0;

  before(async () => {
    const server = await shareServer();
    url = server.url;
    caller = await addCaller(url, server.dataDir, 'auth.example');
  });
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'tributary');
  });

  function openAuth(options: TributaryPluginOptions = {}) {
    const client = createTributary({ url, key: caller.key });
    const auth = betterAuth({
      ...{ baseURL: BASE, secret: 'a secret of thirty-two characters' },
      database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
      emailAndPassword: { enabled: true },
      plugins: [tributary({ tributary: client, ...options }), anonymous(), shop],
      logger: { disabled: true },
      rateLimit: { enabled: false },
    });
    const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
      auth.handler(
        new Request(`${BASE}/api/auth${path}`, {
          method: 'POST',
          headers: { origin: BASE, 'content-type': 'application/json', ...headers },
          body: JSON.stringify(body),
        }),
      );
    return { auth, client, post };
  }

  async function newVisitor(): Promise<string> {
    visitors += 1;
    const visitor = `visitor-${visitors}`;
    await caller.pageview(visitor);
    return visitor;
  }

  const cookieOf = (visitor: string) => ({ cookie: `service_visitor_id=${visitor}` });

  /** Who Tributary says that a visitor is. */
  async function personOf(visitor: string) {
    const asked = `${url}/api/v1/visitors/${visitor}?scope=person`;
    const answer = await fetch(asked, { headers: { authorization: `Bearer ${caller.key}` } });
    const { person } = (await answer.json()) as {
      person?: { user_ids: string[]; emails: string[]; visitors: unknown[] };
    };
    return person;
  }

  it('identifies a new user, and joins the devices on which a user signs in', async () => {
    const { client, post } = openAuth();
    const [first, second] = [await newVisitor(), await newVisitor()];
    const signedUp = await post('/sign-up/email', ADA, cookieOf(first));
    assert.equal(signedUp.status, 200);
    const { user } = (await signedUp.json()) as { user: { id: string } };
    assert.equal((await post('/sign-in/email', ADA, cookieOf(second))).status, 200);
    assert.deepEqual(await client.queue.flush(), []);
    const person = await waitUntil(
      () => personOf(first),
      (found) => found?.visitors.length === 2,
    );
    assert.deepEqual([person?.user_ids, person?.emails], [[user.id], []]);
  });

  it('identifies somebody once, however often they sign in', async () => {
    const bodies: string[] = [];
    const counting = createTributary({
      ...{ url, key: caller.key },
      fetch: (...asked) => {
        bodies.push(
          String(asked[1]?.headers && new Headers(asked[1].headers).get('idempotency-key')),
        );
        return fetch(...asked);
      },
    });
    const { post } = openAuth({ tributary: counting });
    const visitor = await newVisitor();
    await post('/sign-up/email', ADA, cookieOf(visitor));
    for (let times = 0; times < 3; times += 1) await post('/sign-in/email', ADA, cookieOf(visitor));
    await counting.queue.flush();
    assert.equal(bodies.length, 4);
    assert.equal(new Set(bodies).size, 1);
  });

  it('sends no address that is not verified: anybody can type it', async () => {
    const { client, post } = openAuth({ email: true });
    const visitor = await newVisitor();
    await post('/sign-up/email', ADA, cookieOf(visitor));
    await client.queue.flush();
    const person = await waitUntil(
      () => personOf(visitor),
      (found) => found?.user_ids.length === 1,
    );
    assert.deepEqual(person?.emails, []);
  });

  it('leaves out anonymous users, and visitors that it does not know', async () => {
    const asked: string[] = [];
    const silent = createTributary({
      ...{ url, key: caller.key },
      fetch: async (to) => {
        asked.push(String(to));
        return new Response();
      },
    });
    const { post } = openAuth({ tributary: silent });
    const anybody = await post('/sign-in/anonymous', {}, cookieOf('visitor-0'));
    assert.equal(anybody.status, 200);
    assert.equal((await post('/sign-up/email', ADA)).status, 200);
    await silent.queue.flush();
    assert.deepEqual(asked, []);
  });

  it('holds nobody up although Tributary is away', async (t) => {
    t.mock.method(console, 'warn', () => {});
    const away = createTributary({
      ...{ url: 'http://tributary.test', key: caller.key, queueForMs: 0 },
      fetch: () => Promise.reject(new Error('no route')),
      onDrop: () => {},
    });
    const { post } = openAuth({ tributary: away });
    assert.equal((await post('/sign-up/email', ADA, cookieOf('visitor-0'))).status, 200);
  });

  it('puts the visitor into the checkouts of Stripe, Polar and Creem, beside what is there', async () => {
    const { post } = openAuth();
    for (const path of ['/subscription/upgrade', '/checkout', '/creem/create-checkout']) {
      const body = { plan: 'pro', metadata: { own: 'data', service_visitor_id: 'made-up' } };
      const known = await post(path, body, cookieOf('visitor-7'));
      const carried = { own: 'data', service_visitor_id: 'visitor-7' };
      assert.deepEqual(await known.json(), { plan: 'pro', metadata: carried }, path);
      assert.deepEqual(await (await post(path, { plan: 'pro' })).json(), { plan: 'pro' });
    }
    const other = await post('/other', { plan: 'pro' }, cookieOf('visitor-7'));
    assert.deepEqual(await other.json(), { plan: 'pro' });
  });

  it('lets the browser identify itself with what the server signs, and reset at sign-out', async () => {
    const { auth } = openAuth({ tributary: false, identitySecret: SECRET });
    const told: unknown[][] = [];
    const asked: (string | null)[] = [];
    let cookie = '';
    Reflect.set(globalThis, 'tributary', (...given: unknown[]) => void told.push(given));
    Reflect.set(Reflect.get(globalThis, 'tributary'), 'visitor', 'daily-abc');
    const client = createAuthClient({
      ...{ baseURL: BASE, plugins: [tributaryClient()] },
      fetchOptions: {
        customFetchImpl: async (to, init) => {
          const request = new Request(to, init);
          request.headers.set('origin', BASE);
          request.headers.set('cookie', cookie);
          asked.push(request.headers.get('x-service-visitor-id'));
          const answer = await auth.handler(request);
          cookie = answer.headers
            .getSetCookie()
            .map((each) => each.split(';', 1)[0])
            .join('; ');
          return answer;
        },
      },
    });
    const { data, error } = await client.signUp.email(ADA);
    assert.equal(error, null);
    const user_id = data?.user.id ?? '';
    const user_hash = createHmac('sha256', SECRET).update(user_id).digest('hex');
    assert.deepEqual(told, [['identify', { user_id, user_hash }]]);
    await client.signOut();
    assert.deepEqual(told.at(-1), ['reset']);
    assert.deepEqual(asked, ['daily-abc', 'daily-abc']);
  });

  it('keeps what the browser has to say until the script is loaded', async () => {
    const { auth } = openAuth({ tributary: false, identitySecret: SECRET });
    const customFetchImpl = (to: string | URL | Request, init?: RequestInit) =>
      auth.handler(new Request(to, init));
    const plugins = [tributaryClient()];
    const client = createAuthClient({ baseURL: BASE, plugins, fetchOptions: { customFetchImpl } });
    const { error } = await client.signUp.email(ADA);
    assert.equal(error, null);
    const { q } = Reflect.get(globalThis, 'tributary') as { q: unknown[][] };
    assert.deepEqual(q[0]?.[0], 'identify');
  });
});

/** The endpoints of the plug-ins for checkouts. They answer with the body that they are given. */
const echo = { method: 'POST' } as const;
const shop = {
  id: 'shop',
  endpoints: {
    upgrade: createAuthEndpoint('/subscription/upgrade', echo, async ({ body }) => body),
    checkout: createAuthEndpoint('/checkout', echo, async ({ body }) => body),
    create: createAuthEndpoint('/creem/create-checkout', echo, async ({ body }) => body),
    other: createAuthEndpoint('/other', echo, async ({ body }) => body),
  },
} as const;
