import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type BrowserCalls, openBrowserCalls, signInAsOwner } from '../../server/browser-calls.ts';
import { shareServer } from '../../server/share-server.ts';
import type { TestServer } from '../../server/start-server.ts';

const SEGMENT = { name: 'Google', filters: [['is', 'visit:source', ['Google']]] };

describe('what people save for a site', () => {
  let server: TestServer;
  let anna: BrowserCalls;
  let ben: BrowserCalls;
  let path: string;

  before(async () => {
    server = await shareServer({ RATE_LIMIT_READS: '0' });
    anna = await signInAsOwner(server);
    const site = await anna.call('POST', '/api/v1/sites', { domain: 'saved.example' });
    path = `/api/v1/sites/${site.body.id}`;
    const invitation = { email: 'ben.of.saved@example.com', role: 'viewer' };
    const { body } = await anna.call('POST', `${path}/members`, invitation);
    ben = openBrowserCalls(server.url);
    const login = { token: body.url.split('#')[1], name: 'Ben', password: 'a long passphrase' };
    await ben.call('POST', '/api/invitations/accept', login);
  });

  const namesFor = async (person: BrowserCalls, headers = {}) => {
    const { body } = await person.call('GET', `${path}/segments`, undefined, headers);
    return body.segments.map(({ name }: { name: string }) => name).join();
  };

  it('has segments that are one person’s own, or shared by an admin', async () => {
    const own = await ben.call('POST', `${path}/segments`, SEGMENT);
    assert.equal(own.status, 200, JSON.stringify(own.body));
    assert.equal(own.body.shared, false);
    const refused = await ben.call('POST', `${path}/segments`, { ...SEGMENT, shared: true });
    assert.equal(refused.status, 403);
    const all = { ...SEGMENT, name: 'All', shared: true };
    const shared = await anna.call('POST', `${path}/segments`, all);
    assert.deepEqual([await namesFor(anna), await namesFor(ben)], ['All', 'Google,All']);
    const ofBen = `${path}/segments/${own.body.id}`;
    assert.equal((await anna.call('DELETE', ofBen)).status, 404);
    assert.equal((await ben.call('PATCH', ofBen, { shared: true })).status, 403);
    const ofAll = `${path}/segments/${shared.body.id}`;
    assert.equal((await ben.call('DELETE', ofAll)).status, 403);
    assert.equal((await ben.call('PATCH', ofBen, { name: 'Mine' })).body.name, 'Mine');
    const key = await anna.call('POST', `${path}/keys`, { scopes: ['stats:read'] });
    const headers = { authorization: `Bearer ${key.body.key}` };
    assert.equal(await namesFor(openBrowserCalls(server.url), headers), 'All');
    assert.equal((await openBrowserCalls(server.url).call('GET', `${path}/segments`)).status, 401);
  });

  it('has a name that nothing else has which the person sees', async () => {
    const segments = `${path}/segments`;
    const faultOf = ({ status, body }: Awaited<ReturnType<BrowserCalls['call']>>) =>
      status === 400 ? body.error.details[0] : status;
    const blank = { path: '/name', message: 'must not be blank' };
    const taken = { path: '/name', message: 'There is already a segment with that name.' };
    const one = await anna.call('POST', segments, { ...SEGMENT, name: ' One ' });
    assert.equal(one.body.name, 'One');
    const two = await anna.call('POST', segments, { ...SEGMENT, name: 'Two', shared: true });
    const rename = (id: string, name: string) => anna.call('PATCH', `${segments}/${id}`, { name });
    assert.deepEqual(faultOf(await rename(two.body.id, '  ')), blank);
    assert.deepEqual(faultOf(await rename(two.body.id, 'one')), taken, 'an own one is seen, too');
    const shared = { ...SEGMENT, name: 'ONE', shared: true };
    assert.deepEqual(faultOf(await anna.call('POST', segments, shared)), taken);
    assert.equal((await rename(one.body.id, 'ONE')).body.name, 'ONE');
    const ofBen = await ben.call('POST', segments, { ...SEGMENT, name: 'One' });
    assert.equal(ofBen.status, 200, 'what is somebody else’s own is not seen');
    for (const { body } of [one, two]) await anna.call('DELETE', `${segments}/${body.id}`);
  });

  it('is checked as queries are', async () => {
    for (const [what, body, fault] of [
      ['segments', { ...SEGMENT, filters: [['is', 'visit:colour', ['red']]] }, '/filters/0/1'],
      ['segments', { ...SEGMENT, name: '' }, '/name'],
      ['segments', { ...SEGMENT, name: ' \u00a0' }, '/name'],
      ['segments', { ...SEGMENT, name: ' all ' }, '/name'],
      ['funnels', { name: 'F', steps: [{ type: 'page' }, { type: 'payment' }] }, '/steps/0/path'],
      ['annotations', { at: '2026-02-30', text: 'x' }, '/at'],
    ] as const) {
      const refused = await anna.call('POST', `${path}/${what}`, body);
      assert.equal(refused.status, 400);
      assert.equal(refused.body.error.details[0].path, fault);
    }
    const steps = [{ type: 'page', path: '/' }, { type: 'payment' }];
    const funnel = await anna.call('POST', `${path}/funnels`, { name: 'F', steps });
    assert.deepEqual(funnel.body.steps, steps);
    assert.equal((await ben.call('POST', `${path}/annotations`, {})).status, 403);
  });

  it('may be a note of a key with the scope for notes, and of no other', async () => {
    const note = { at: '2026-11-09', text: 'Release 2' };
    const keyed = async (...scopes: string[]) => {
      const { body } = await anna.call('POST', `${path}/keys`, { name: 'assistant', scopes });
      const headers = { authorization: `Bearer ${body.key}` };
      return openBrowserCalls(server.url).call('POST', `${path}/annotations`, note, headers);
    };
    const refused = await keyed('stats:read', 'payments:write');
    assert.match(refused.body.error.message, /lacks the scope annotations:write/);
    const added = await keyed('annotations:write');
    assert.deepEqual([added.status, added.body.text], [200, note.text]);
    const { body } = await anna.call('GET', `${path}/audit`);
    assert.deepEqual(
      [body.entries[0].what, body.entries[0].about],
      ['annotation added', note.text],
    );
    assert.match(body.entries[0].who, /^API key /);
    await anna.call('DELETE', `${path}/annotations/${added.body.id}`);
  });

  it('is on the audit log, and goes with the site', async () => {
    const { body } = await anna.call('GET', `${path}/audit`);
    assert.equal(body.entries[0].what, 'annotation removed');
    assert.equal((await anna.call('DELETE', path)).status, 200);
    assert.equal((await anna.call('GET', `${path}/segments`)).status, 403);
  });
});
