import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type BrowserCalls, openBrowserCalls, signInAsOwner } from '../../server/browser-calls.ts';
import { shareServer } from '../../server/share-server.ts';
import { runCli, type TestServer } from '../../server/start-server.ts';

const PASSWORD = 'a long passphrase';
const BEN = 'ben@example.com';

describe('the members of a site', () => {
  let server: TestServer;
  let anna: BrowserCalls;
  let ben: BrowserCalls;
  let benId: string;
  let path: string;
  let siteId: string;
  const stranger = () => openBrowserCalls(server.url);
  const tokenOf = (url: string) => url.split('#')[1] ?? '';
  const meOf = async (person: BrowserCalls) => (await person.call('GET', '/api/v1/me')).body;

  before(async () => {
    server = await shareServer({ RATE_LIMIT_READS: '0' });
    anna = await signInAsOwner(server);
    const site = await anna.call('POST', '/api/v1/sites', { domain: 'one.example' });
    siteId = site.body.id;
    path = `/api/v1/sites/${siteId}`;
    await anna.call('POST', '/api/v1/sites', { domain: 'two.example' });
  });

  async function invite(email: string, role: string, by = anna): Promise<string> {
    const invited = await by.call('POST', `${path}/members`, { email, role });
    assert.equal(invited.status, 200, JSON.stringify(invited.body));
    assert.match(invited.body.url, /\/invite#[\w-]{43}$/);
    return tokenOf(invited.body.url);
  }

  function join(token: string, name: string, browser = stranger()) {
    const login = { token, name, password: PASSWORD };
    return browser.call('POST', '/api/invitations/accept', login);
  }

  it('come by an invitation, which works once', async () => {
    const old = await invite('Ben@Example.com', 'viewer');
    const token = await invite(BEN, 'viewer');
    const found = await stranger().call('POST', '/api/invitations/find', { token });
    const expected = { email: BEN, role: 'viewer', domain: 'one.example', has_login: false };
    assert.deepEqual(found.body, expected);
    const listed = await anna.call('GET', `${path}/members`);
    assert.deepEqual(
      listed.body.invitations.map(({ email }: { email: string }) => email),
      [BEN],
    );
    ben = stranger();
    for (const wrong of [{ password: 'short' }, { name: '' }]) {
      const login = { token, name: 'Ben', password: PASSWORD, ...wrong };
      assert.equal((await ben.call('POST', '/api/invitations/accept', login)).status, 400);
    }
    const evil = { origin: 'https://evil.example' };
    const accept = '/api/invitations/accept';
    assert.equal((await ben.call('POST', accept, { token, name: 'B' }, evil)).status, 403);
    assert.equal((await join(token, 'Ben', ben)).status, 200);
    assert.equal((await join(token, 'Eve')).status, 400);
    assert.equal((await join(old, 'Eve')).status, 400, 'a later invitation ends an earlier one');
    const me = await meOf(ben);
    benId = me.user.id;
    assert.deepEqual(
      me.sites.map(({ domain, role }: Record<string, string>) => [domain, role]),
      [['one.example', 'viewer']],
    );
    assert.equal(me.user.is_owner, false);
    for (const member of [BEN, 'anna@example.com']) {
      const again = await anna.call('POST', `${path}/members`, { email: member, role: 'admin' });
      assert.equal(again.status, 400);
      assert.match(JSON.stringify(again.body), /already has access to this site/);
    }
  });

  it('read as viewers, and write nothing', async () => {
    const query = { site_id: 'one.example', date_range: '7d', metrics: ['visitors'] };
    const at = { 'x-site-id': 'one.example' };
    assert.equal((await ben.call('POST', '/api/v1/query', query, at)).status, 200);
    const elsewhere = { 'x-site-id': 'two.example' };
    const other = { ...query, site_id: 'two.example' };
    assert.equal((await ben.call('POST', '/api/v1/query', other, elsewhere)).status, 403);
    const together = (...named: string[]) => ({
      ...{ site_ids: named, date_range: '7d', metrics: ['visitors'], dimensions: ['site'] },
    });
    const all = '/api/v1/query/sites';
    const own = await ben.call('POST', all, together('one.example', siteId));
    assert.deepEqual([own.status, own.body.query.sites], [200, ['one.example']]);
    for (const named of ['two.example', 'nowhere.example']) {
      const refused = await ben.call('POST', all, together('one.example', named));
      assert.equal(refused.status, 403, named);
    }
    const keyless = await stranger().call('POST', all, together('one.example'));
    assert.equal(keyless.status, 401);
    const payment = { amount: 5, currency: 'USD', transaction_id: 'by-ben' };
    assert.equal((await ben.call('POST', '/api/v1/payments', payment, at)).status, 403);
    assert.equal((await ben.call('DELETE', '/api/v1/visitors/x', undefined, at)).status, 403);
    for (const [method, what, body] of [
      ['PATCH', '', { name: 'Mine' }],
      ['DELETE', '', undefined],
      ['GET', '/keys', undefined],
      ['POST', '/keys', { scopes: ['stats:read'] }],
      ['POST', '/identity-secret', undefined],
      ['GET', '/members', undefined],
      ['POST', '/members', { email: 'eve@example.com', role: 'viewer' }],
      ['PATCH', `/members/${benId}`, { role: 'owner' }],
      ['GET', '/audit', undefined],
    ] as const) {
      const { status } = await ben.call(method, `${path}${what}`, body);
      assert.equal(status, 403, `${method} ${what}`);
    }
    assert.equal((await ben.call('POST', '/api/v1/sites', { domain: 'b.example' })).status, 403);
    assert.equal((await ben.call('GET', `${path}/health`)).status, 200);
    const { sites } = (await ben.call('GET', '/api/v1/sites')).body;
    assert.deepEqual(
      sites.map(({ domain }: Record<string, string>) => domain),
      ['one.example'],
    );
  });

  it('are made admins, who change everything but owners', async () => {
    const changed = await anna.call('PATCH', `${path}/members/${benId}`, { role: 'admin' });
    assert.deepEqual([changed.status, changed.body.role], [200, 'admin']);
    assert.equal((await ben.call('PATCH', path, { name: 'Ours' })).status, 200);
    const at = { 'x-site-id': siteId };
    const payment = { amount: 5, currency: 'USD', transaction_id: 'by-ben' };
    assert.equal((await ben.call('POST', '/api/v1/payments', payment, at)).status, 200);
    const owner = { email: 'eve@example.com', role: 'owner' };
    assert.equal((await ben.call('POST', `${path}/members`, owner)).status, 403);
    const self = { role: 'owner' };
    assert.equal((await ben.call('PATCH', `${path}/members/${benId}`, self)).status, 403);
    assert.equal((await ben.call('DELETE', path)).status, 403);
    const { user } = await meOf(anna);
    const viewer = { role: 'viewer' };
    assert.equal((await ben.call('PATCH', `${path}/members/${user.id}`, viewer)).status, 403);
    assert.equal((await ben.call('DELETE', `${path}/members/${user.id}`)).status, 403);
    assert.equal((await anna.call('DELETE', `${path}/members/${user.id}`)).status, 403);
  });

  it('who have a login sign in before they accept', async () => {
    const two = '/api/v1/sites/two.example';
    const role = { email: BEN, role: 'viewer' };
    const { body } = await anna.call('POST', `${two}/members`, role);
    const token = tokenOf(body.url);
    const found = await stranger().call('POST', '/api/invitations/find', { token });
    assert.equal(found.body.has_login, true);
    assert.equal((await join(token, 'Eve')).status, 401, 'a link gives no login of somebody else');
    assert.equal((await join(token, 'Eve', anna)).status, 401);
    const accepted = await ben.call('POST', '/api/invitations/accept', { token });
    assert.deepEqual(accepted.body, { status: 'success', domain: 'two.example' });
    assert.equal((await meOf(ben)).sites.length, 2);
  });

  it('have what they changed on record, newest first, with who did', async () => {
    const { body } = await anna.call('GET', `${path}/audit`);
    const noted = body.entries.map(({ who, what, about }: Record<string, string>) => {
      return `${who}: ${what}: ${about}`;
    });
    assert.deepEqual(noted, [
      `${BEN}: Record a payment or a refund: `,
      `${BEN}: site changed: name: none → Ours`,
      `anna@example.com: role changed: ${BEN} from viewer to admin`,
      `${BEN}: member joined: viewer`,
      `anna@example.com: member invited: ${BEN} as viewer`,
      `anna@example.com: member invited: ${BEN} as viewer`,
      'anna@example.com: site added: one.example',
    ]);
    assert.equal((await anna.call('GET', `${path}/audit?limit=2`)).body.entries.length, 2);
    assert.equal((await anna.call('GET', `${path}/audit?limit=0`)).status, 400);
  });

  it('are named where they made a key or corrected a payment', async () => {
    const made = await anna.call('POST', `${path}/keys`, {
      ...{ name: 'Shop', scopes: ['stats:read', 'payments:write'] },
    });
    const { id, key, last4 } = made.body;
    const turned = await anna.call('POST', `${path}/keys/${id}/rotate`, {});
    await anna.call('DELETE', `${path}/keys/${turned.body.id}`);
    const { body } = await anna.call('GET', `${path}/audit?limit=3`);
    assert.deepEqual(
      body.entries.map(({ what, about }: Record<string, string>) => `${what}: ${about}`),
      [
        `key revoked: Shop (…${turned.body.last4})`,
        `key rotated: Shop (…${last4}), now …${turned.body.last4}`,
        `key created: Shop (…${last4}), stats:read, payments:write`,
      ],
    );
    const at = { 'x-site-id': siteId };
    const payment = '/api/v1/payments/by-ben';
    await ben.call('PATCH', payment, { service_visitor_id: 'ada' }, at);
    const byKey = { authorization: `Bearer ${key}` };
    const voided = await stranger().call('DELETE', payment, undefined, byKey);
    assert.deepEqual(
      voided.body.changes.map(({ by_name: name }: { by_name?: string }) => name),
      [undefined, undefined],
      'a key without visitors:read sees no names',
    );
    const [last] = (await anna.call('GET', `${path}/audit?limit=1`)).body.entries;
    assert.equal(`${last.what}: ${last.about}`, 'payment corrected: by-ben');
    const seen = await ben.call('GET', payment, undefined, at);
    assert.deepEqual(
      seen.body.changes.map(({ by_name: name }: { by_name?: string }) => name),
      ['Ben', 'Shop'],
    );
  });

  it('are withdrawn while they are invited', async () => {
    const token = await invite('cleo@example.com', 'admin');
    const { body } = await anna.call('GET', `${path}/members`);
    const [open] = body.invitations;
    const withdraw = () => anna.call('DELETE', `${path}/invitations/${open.id}`);
    assert.deepEqual([(await withdraw()).status, (await withdraw()).status], [200, 404]);
    assert.equal((await join(token, 'Cleo')).status, 400);
  });

  it('lose a site at once, by others or by themselves, and a session opens nothing then', async () => {
    assert.equal((await anna.call('DELETE', `${path}/members/${benId}`)).status, 200);
    const query = { site_id: siteId, date_range: '7d', metrics: ['visitors'] };
    const at = { 'x-site-id': siteId };
    assert.equal((await ben.call('POST', '/api/v1/query', query, at)).status, 403);
    assert.equal((await ben.call('GET', path)).status, 403);
    const leave = `/api/v1/sites/two.example/members/${benId}`;
    assert.equal((await ben.call('DELETE', leave)).status, 200);
    assert.deepEqual((await meOf(ben)).sites, []);
  });

  it('are invited, listed and removed by the command, too', async () => {
    const site = ['--site', 'one.example'];
    const add = ['member', 'add', 'dora@example.com', ...site, '--role', 'admin'];
    const { url } = await runCli<{ url: string }>(add, server.dataDir);
    const dora = stranger();
    assert.equal((await join(tokenOf(url), 'Dora', dora)).status, 200);
    const listed = await runCli<{ email: string; role: string }[]>(
      ['member', 'list', ...site],
      server.dataDir,
    );
    assert.deepEqual(
      listed.map(({ email, role }) => [email, role]),
      [
        ['anna@example.com', 'owner'],
        ['dora@example.com', 'admin'],
      ],
    );
    await runCli(['member', 'remove', 'dora@example.com'], server.dataDir);
    assert.equal((await dora.call('GET', '/api/v1/me')).status, 401);
    const owner = ['member', 'remove', 'anna@example.com'];
    await assert.rejects(runCli(owner, server.dataDir), /they own the server/);
  });
});
