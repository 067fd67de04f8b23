import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { type BrowserCalls, openBrowserCalls, signInAsOwner } from '../../server/browser-calls.ts';
import { addCaller } from '../../server/caller.ts';
import { shareServer } from '../../server/share-server.ts';
import type { TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

const PASSWORD = 'seven open doors';

describe('shared links', () => {
  let server: TestServer;
  let anna: BrowserCalls;
  let path: string;
  let visitor: BrowserCalls;
  const query = { site_id: 'leaves.example', metrics: ['visitors'], date_range: '30d' };

  before(async () => {
    server = await shareServer({ RATE_LIMIT_READS: '0' });
    anna = await signInAsOwner(server);
    for (const domain of ['leaves.example', 'kettles.example']) {
      await anna.call('POST', '/api/v1/sites', { domain });
    }
    path = '/api/v1/sites/leaves.example/shares';
    visitor = openBrowserCalls(server.url);
  });

  let made = 0;
  const share = async (body: object) => {
    made += 1;
    return (await anna.call('POST', path, { name: `Link ${made}`, ...body })).body;
  };
  const tokenOf = ({ url }: { readonly url: string }) => url.split('/share/')[1] ?? '';
  const as = (token: string) => ({ 'x-share-token': token });

  it('are made, listed and revoked; their address can be copied again', async () => {
    const filters = [['is', 'visit:campaign', ['spring']]];
    const made = await share({ name: ' Agency ', panels: ['figures', 'pages'], filters });
    const { id, url, created_at, ...rest } = made;
    assert.match(`${id} ${url}`, new RegExp(`^share_\\w{16} ${server.url}/share/[\\w-]{32}$`));
    assert.match(created_at, /Z$/);
    assert.deepEqual(rest, {
      ...{ name: 'Agency', embed_url: `${url}/embed`, has_password: false, revenue: false },
      ...{ panels: ['figures', 'pages'], filters, created_by: 'anna@example.com' },
      last_used_at: null,
    });
    assert.deepEqual((await anna.call('GET', path)).body, { shares: [made] });
    const token = tokenOf(made);
    const seen = await visitor.call('GET', '/api/v1/share', undefined, as(token));
    assert.deepEqual(seen.body, {
      site: {
        ...{ domain: 'leaves.example', name: 'leaves.example' },
        timezone: 'UTC',
        currency: 'USD',
      },
      ...{ panels: ['figures', 'pages'], revenue: false, filters },
    });
    const answer = await visitor.call('POST', '/api/v1/query', query, as(token));
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body.query.filters, filters);
    assert.match((await anna.call('GET', path)).body.shares[0].last_used_at, /Z$/);

    assert.equal((await anna.call('DELETE', `${path}/${id}`)).status, 200);
    assert.equal((await anna.call('DELETE', `${path}/${id}`)).status, 404);
    for (const [method, at, body] of [
      ['GET', '/api/v1/share', undefined],
      ['POST', '/api/v1/query', query],
      ['POST', '/api/v1/share/open', { password: '' }],
    ] as const) {
      const over = await visitor.call(method, at, body, as(token));
      assert.equal(over.status, 404, at);
      assert.match(over.body.error.message, /no longer valid/);
    }
    const { entries } = (await anna.call('GET', '/api/v1/sites/leaves.example/audit')).body;
    const noted = entries.map(({ what }: { what: string }) => what).slice(0, 2);
    assert.deepEqual(noted, ['shared link revoked', 'link shared']);
    for (const { about } of entries.slice(0, 2)) {
      assert.ok(about.startsWith('Agency') && !about.includes(id), about);
    }
    assert.ok(!JSON.stringify(entries).includes(token), 'the audit log shows no token');
  });

  it('have a name each, so that people tell them apart', async () => {
    const body = { name: 'For Émile', panels: ['pages'] };
    assert.equal((await share(body)).name, 'For Émile');
    const again = await anna.call('POST', path, { ...body, name: ' for e\u0301mile ' });
    assert.equal(again.status, 400);
    assert.deepEqual(again.body.error.details, [
      { path: '/name', message: 'There is already a link with that name.' },
    ]);
    const elsewhere = await anna.call('POST', '/api/v1/sites/kettles.example/shares', body);
    assert.equal(elsewhere.status, 200);
  });

  it('are refused with what is wrong', async () => {
    for (const [body, at] of [
      [{ name: undefined, panels: ['pages'] }, '/name'],
      [{ name: ' \u00a0', panels: ['pages'] }, '/name'],
      [{ panels: [] }, '/panels'],
      [{ panels: ['people'] }, '/panels/0'],
      [{ panels: ['pages'], password: 'short' }, '/password'],
      [{ panels: ['pages'], filters: [['is', 'visit:nothing', ['a']]] }, '/filters/0'],
      [{ panels: ['pages'], filters: [['is']] }, '/filters/0'],
      [{ panels: ['pages'], site_id: 'kettles.example' }, '/site_id'],
    ] as const) {
      const { status, body: answer } = await anna.call('POST', path, { name: 'New', ...body });
      assert.equal(status, 400, at);
      const paths = answer.error.details.map((each: { path: string }) => each.path);
      assert.ok(
        paths.some((each: string) => each.startsWith(at)),
        `${at}: ${paths}`,
      );
    }
  });

  it('are only for admins of the site, and for pages of this server', async () => {
    const { url } = (
      await anna.call('POST', '/api/v1/sites/leaves.example/members', {
        ...{ email: 'ben.of.shares@example.com', role: 'viewer' },
      })
    ).body;
    const ben = openBrowserCalls(server.url);
    const person = { name: 'Ben', password: PASSWORD };
    await ben.call('POST', '/api/invitations/accept', { token: url.split('#')[1], ...person });
    const { id } = await share({ panels: ['pages'] });
    for (const [method, at, body] of [
      ['GET', path, undefined],
      ['POST', path, { panels: ['pages'] }],
      ['DELETE', `${path}/${id}`, undefined],
    ] as const) {
      assert.equal((await ben.call(method, at, body)).status, 403, method);
      assert.equal((await visitor.call(method, at, body)).status, 401, method);
      const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
      assert.equal((await anna.call(method, at, body, foreign)).status, 401, method);
    }
    // A link of one site does not exist for another.
    const other = `/api/v1/sites/kettles.example/shares/${id}`;
    assert.equal((await anna.call('DELETE', other)).status, 404);
  });

  it('open the query API of their own site and nothing else, whoever is signed in', async () => {
    const token = tokenOf(await share({ panels: ['figures', 'sources'], revenue: true }));
    const site = { 'x-site-id': 'leaves.example' };
    const reading = [
      ...['/api/v1/live', '/api/v1/live/stream', '/api/v1/drops', '/api/v1/payments'],
      '/api/v1/insights',
      ...['/api/v1/payments/tx_1', '/api/v1/persons/p', '/api/v1/visitors/v'],
    ];
    const reports = ['funnel', 'journeys', 'retention', 'ltv', 'mrr', 'purchase-paths'];
    const asking = [
      ...[...reports, 'visitors', 'persons'].map((name) => `/api/v1/query/${name}`),
      '/api/v2/query',
    ];
    const { api } = await readPaths(server);
    for (const at of [...reading, ...asking]) {
      const isThere = api.some((pattern) => pattern.test(at));
      assert.ok(isThere, `${at} is a path of the API`);
    }
    for (const browser of [visitor, anna]) {
      for (const at of reading) {
        const { status } = await browser.call('GET', at, undefined, { ...as(token), ...site });
        assert.equal(status, 403, at);
      }
      for (const at of asking) {
        const { status } = await browser.call('POST', at, query, { ...as(token), ...site });
        assert.equal(status, 403, at);
      }
      const elsewhere = { ...query, site_id: 'kettles.example' };
      const headers = { ...as(token), 'x-site-id': 'kettles.example' };
      assert.equal((await browser.call('POST', '/api/v1/query', elsewhere, headers)).status, 403);
      const pages = { ...query, dimensions: ['event:page'] };
      assert.equal((await browser.call('POST', '/api/v1/query', pages, as(token))).status, 403);
      assert.equal((await browser.call('POST', '/api/v1/query', query, as(token))).status, 200);
    }
    for (const wrong of ['', 'x', `${token}x`, token.slice(1), "' OR 1=1 --"]) {
      const { status } = await visitor.call('POST', '/api/v1/query', query, as(wrong));
      assert.equal(status, 404, wrong);
    }
    // It cannot write, or change links.
    const goal = { service_visitor_id: 'v', name: 'signup' };
    assert.equal((await visitor.call('POST', '/api/v1/goals', goal, as(token))).status, 403);
    assert.equal((await visitor.call('GET', path, undefined, as(token))).status, 401);
  });

  it('show files of what they show, too, and of nothing else', async () => {
    const token = tokenOf(await share({ panels: ['sources'] }));
    const headers = { ...as(token), accept: 'text/csv', 'content-type': 'application/json' };
    const ask = (body: object) =>
      fetch(`${server.url}/api/v1/query`, { method: 'POST', headers, body: JSON.stringify(body) });
    const sources = await ask({ ...query, dimensions: ['visit:source'] });
    assert.equal(sources.status, 200);
    assert.match(sources.headers.get('vary') ?? '', /x-share-token/);
    assert.equal((await ask({ ...query, dimensions: ['visit:city'] })).status, 403);
  });

  it('show no minutes of a day to somebody who writes a cursor', async () => {
    const caller = await addCaller(server.url, server.dataDir, 'minutes.example');
    for (const source of ['one', 'two']) await caller.pageview(source, `/?utm_source=${source}`);
    const made = await anna.call('POST', '/api/v1/sites/minutes.example/shares', {
      ...{ name: 'Minutes', panels: ['sources'] },
    });
    const days = {
      ...{ site_id: caller.site, metrics: ['visitors'], dimensions: ['visit:source'] },
      ...{ date_range: 'day', include: { compare: 'previous_period' } },
    };
    const ask = (pagination: object) =>
      visitor.call('POST', '/api/v1/query', { ...days, pagination }, as(tokenOf(made.body)));
    const { next_cursor: given } = await waitUntil(
      async () => (await ask({ limit: 1 })).body.meta,
      (meta) => meta.next_cursor !== undefined,
    );
    assert.equal((await ask({ cursor: given })).status, 200);
    const [text, signature] = given.split('.');
    const [digest] = JSON.parse(Buffer.from(text, 'base64url').toString());
    const [before, after] = [Date.now() - 3_600_000, ['999999', '']];
    const own = Buffer.from(JSON.stringify([digest, before, ...after])).toString('base64url');
    for (const cursor of [own, `${own}.${signature}`]) {
      const { status, body } = await ask({ cursor });
      assert.equal(status, 400);
      assert.equal(body.error.details[0].path, '/pagination/cursor');
    }
  });

  it('behind a password open by it alone, and guesses are slowed down', async () => {
    const made = await share({ panels: ['figures'], password: PASSWORD });
    assert.equal(made.has_password, true);
    const token = tokenOf(made);
    const ask = (credential: string) =>
      visitor.call('POST', '/api/v1/query', query, as(credential));
    const open = (password: string) =>
      visitor.call('POST', '/api/v1/share/open', { password }, as(token));
    assert.equal((await ask(token)).status, 401);
    assert.equal((await visitor.call('GET', '/api/v1/share', undefined, as(token))).status, 401);
    assert.equal((await open('not this one')).status, 401);
    assert.equal((await open('')).status, 401);
    const { status, body } = await open(PASSWORD);
    assert.equal(status, 200);
    assert.ok(Date.parse(body.expires_at) - Date.now() <= 12 * 3_600_000);
    assert.equal((await ask(body.token)).status, 200);

    const [own, expiry = '', signature = ''] = body.token.split('.');
    const later = `${own}.${Number(expiry) + 1}.${signature}`;
    const another = tokenOf(await share({ panels: ['pages'], password: PASSWORD }));
    for (const forged of [
      ...[later, `${own}.${expiry}`, `${own}.${expiry}.`, `${own}..${signature}`],
      ...[`${own}.Infinity.${signature}`, `${another}.${expiry}.${signature}`],
    ]) {
      assert.equal((await ask(forged)).status, 401, forged);
    }
    // An empty password does not open one without a password.
    const without = tokenOf(await share({ panels: ['pages'] }));
    const opened = await visitor.call('POST', '/api/v1/share/open', { password: '' }, as(without));
    assert.equal(opened.status, 401);

    const guesses = await Promise.all(Array.from({ length: 8 }, () => open('guessed wrong')));
    const answers = guesses.map((guess) => guess.status);
    assert.ok(answers.includes(429), `${answers}`);
    assert.equal((await ask(body.token)).status, 200, 'who has opened it is not slowed down');
    const foreign = {
      ...as(token),
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
    };
    const guessed = await visitor.call('POST', '/api/v1/share/open', { password: 'a' }, foreign);
    assert.equal(guessed.status, 403);
    const file = readFileSync(join(server.dataDir, 'accounts.sqlite'));
    assert.ok(!file.includes(PASSWORD), 'no password is stored');
  });

  it('are over with their site', async () => {
    await anna.call('POST', '/api/v1/sites', { domain: 'gone.example' });
    const made = await anna.call('POST', '/api/v1/sites/gone.example/shares', {
      name: 'Gone',
      panels: ['figures'],
    });
    const token = tokenOf(made.body);
    assert.equal((await visitor.call('GET', '/api/v1/share', undefined, as(token))).status, 200);
    await anna.call('DELETE', '/api/v1/sites/gone.example');
    assert.equal((await visitor.call('GET', '/api/v1/share', undefined, as(token))).status, 404);
  });
});

/** The API's paths as patterns. */
async function readPaths({ url }: TestServer): Promise<{ readonly api: readonly RegExp[] }> {
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: object };
  const api = Object.keys(paths).map(
    (path) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
  );
  return { api };
}
