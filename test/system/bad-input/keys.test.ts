import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { KeyScope } from '#domain/site/scope.ts';
import { addSite, createKey as createKeyOf, withLedgerOf } from '../../server/add-site.ts';
import {
  assertIsRefusal,
  goal,
  pageview,
  payment,
  type RefusingServer,
  SITE,
  shareRefusingServer,
  VISITOR,
} from './refusing-server.ts';

const PERIOD = { site_id: SITE, date_range: '7d' };
const QUERY = { ...PERIOD, metrics: ['visitors'] };
const STEP = { type: 'payment' };
const ENDPOINTS = [
  ['POST', '/api/v1/goals', 'goals:write', goal()],
  ['POST', '/api/v1/payments', 'payments:write', payment()],
  ['POST', '/api/v1/events', 'events:write', pageview()],
  ['POST', '/api/v1/identify', 'events:write', { service_visitor_id: 'v', user_id: '42' }],
  ['POST', '/api/v1/query', 'stats:read', QUERY],
  ['POST', '/api/v2/query', 'stats:read', QUERY],
  ['POST', '/api/v1/query/funnel', 'stats:read', { ...PERIOD, steps: [STEP, STEP] }],
  ['POST', '/api/v1/query/journeys', 'stats:read', { ...PERIOD, from: STEP }],
  ['POST', '/api/v1/query/purchase-paths', 'stats:read', PERIOD],
  ['GET', '/api/v1/drops', 'stats:read', undefined],
  ['POST', '/api/v1/query/visitors', 'stats:read', { site_id: SITE, date_range: '7d' }],
  ['POST', '/api/v1/query/persons', 'stats:read', { site_id: SITE, date_range: '7d' }],
  ['GET', `/api/v1/persons/${VISITOR}`, 'stats:read', undefined],
  ['GET', `/api/v1/visitors/${VISITOR}/story`, 'stats:read', undefined],
  ['GET', '/api/v1/insights', 'stats:read', undefined],
  ['GET', '/api/v1/live', 'stats:read', undefined],
  ['GET', '/api/v1/live/stream', 'stats:read', undefined],
  ['GET', `/api/v1/visitors/${VISITOR}`, 'visitors:read', undefined],
  ['DELETE', `/api/v1/visitors/${VISITOR}`, 'visitors:delete', undefined],
  ['GET', '/api/v1/erasures/erasure_1', 'visitors:delete', undefined],
] as const;

describe('a key opens nothing', () => {
  let tributary: RefusingServer;
  const createKey = (...scopes: KeyScope[]) =>
    createKeyOf(tributary.server.dataDir, SITE, scopes.length > 0 ? scopes : undefined);
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

  before(async () => {
    tributary = await shareRefusingServer();
  });
  after(() => tributary?.stop());

  /** Whether it is already refused: a change takes up to a second. */
  async function untilRefused(key: string): Promise<void> {
    const deadline = Date.now() + 60_000;
    for (;;) {
      const answer = await tributary.send({
        path: '/api/v1/goals',
        headers: bearer(key),
        body: {},
      });
      if (answer.code === 401) return;
      assert.ok(Date.now() < deadline, 'the key still opens');
    }
  }

  /** Whether it is already known: any answer but 401 shows that. */
  async function untilKnown(key: string): Promise<void> {
    const deadline = Date.now() + 60_000;
    for (;;) {
      const answer = await tributary.send({
        path: '/api/v1/goals',
        headers: bearer(key),
        body: {},
      });
      if (answer.code !== 401) return;
      assert.ok(Date.now() < deadline, 'the key is not known');
    }
  }

  async function assertOpensNothing(authorization: string | undefined): Promise<void> {
    const messages = new Set<string>();
    for (const [method, path, , body] of ENDPOINTS) {
      if (path === '/api/v1/events' && authorization === undefined) continue; // Needs none.
      const answer = await tributary.assertRefused(
        { method, path, headers: { authorization }, body },
        { type: 'unauthorized' },
      );
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
      messages.add((answer.body.error as { message: string }).message);
    }
    assert.equal(messages.size, 1, 'one message for all');
  }

  it('when there is none', () => assertOpensNothing(undefined));
  it('when it is empty', () => assertOpensNothing(''));
  it('when it is not a Bearer', () => assertOpensNothing(`Basic ${tributary.key}`));
  it('without its scheme', () => assertOpensNothing(tributary.key));
  it('when it was never made', () => assertOpensNothing(`Bearer trib_${'a'.repeat(49)}`));
  it('when a character is wrong', () =>
    assertOpensNothing(
      `Bearer ${tributary.key.slice(0, -1)}${tributary.key.endsWith('x') ? 'y' : 'x'}`,
    ));
  it('when it is longer', () => assertOpensNothing(`Bearer ${tributary.key}0`));

  it('unless it is a Bearer, in any case, after any number of blanks', async () => {
    for (const start of ['Bearer ', 'Bearer   ', 'bearer  ']) {
      const headers = { authorization: `${start}${tributary.key}` };
      const answer = await tributary.send({ path: '/api/v1/goals', headers, body: {} });
      assert.equal(answer.code, 400, start);
    }
  });

  it('within a second of its revocation', async () => {
    const key = await createKey();
    await untilKnown(key);
    await withLedgerOf(tributary.server.dataDir, async (ledger) => {
      const { id = '' } = ledger.findKey(key) ?? {};
      await ledger.revokeKey(id);
    });
    await untilRefused(key);
    await assertOpensNothing(`Bearer ${key}`);
  });

  it('once it has expired', async () => {
    const { key } = await withLedgerOf(tributary.server.dataDir, (ledger) => {
      const siteId = ledger.findSite(SITE)?.id ?? '';
      const expiresAt = Date.now() + 1_000;
      return ledger.createKey({ siteId, name: '', scopes: ['goals:write'], expiresAt });
    });
    await untilRefused(key);
    await assertOpensNothing(`Bearer ${key}`);
  });

  it('beyond its scopes, and the answer names the one it lacks', async () => {
    const reads = await createKey('visitors:read');
    const writes = await createKey('goals:write');
    await untilKnown(reads);
    await untilKnown(writes);
    for (const [method, path, scope, body] of ENDPOINTS) {
      const headers = bearer(scope === 'visitors:read' ? writes : reads);
      const answer = await tributary.assertRefused(
        { method, path, headers, body },
        { type: 'forbidden' },
      );
      assert.match((answer.body.error as { message: string }).message, new RegExp(scope));
    }
  });

  it('of another site', async () => {
    await addSite(tributary.server.dataDir, 'other.example');
    const key = await createKeyOf(tributary.server.dataDir, 'other.example');
    await untilKnown(key);
    const headers = bearer(key);
    for (const path of ['/api/v1/query', '/api/v2/query']) {
      await tributary.assertRefused({ path, headers, body: QUERY }, { type: 'forbidden' });
      const absent = { ...QUERY, site_id: 'absent.example' };
      await tributary.assertRefused({ path, headers, body: absent }, { type: 'forbidden' });
      const faulty = { site_id: SITE, metrics: 'visitors' };
      await tributary.assertRefused({ path, headers, body: faulty }, { type: 'forbidden' });
    }
    await tributary.assertRefused(
      { path: '/api/v1/goals', headers, body: goal() },
      { type: 'visitor_not_found' },
    );
    await tributary.assertRefused(
      { method: 'GET', path: `/api/v1/visitors/${VISITOR}`, headers },
      { type: 'not_found' },
    );
    const { body } = await tributary.assertNothingRecorded(() =>
      tributary.send({ path: '/api/v1/events', headers, body: pageview() }),
    );
    assert.deepEqual(body.dropped, [{ index: 0, reason: 'site_of_another_key' }]);
  });

  it('to the receipt of another site’s erasure, nor to one that there is not', async () => {
    const erasing = await createKey('visitors:delete');
    await untilKnown(erasing);
    const answer = await tributary.send({
      ...{ method: 'DELETE', path: '/api/v1/visitors/nobody', headers: bearer(erasing) },
    });
    const { id } = answer.body.erasure as { id: string };
    const find = (key: string, path = `/api/v1/erasures/${id}`) =>
      tributary.send({ method: 'GET', path, headers: bearer(key) });
    assert.equal((await find(erasing)).code, 200);
    const { dataDir } = tributary.server;
    const stranger = await createKeyOf(dataDir, 'other.example', ['visitors:delete']);
    await untilKnown(stranger);
    assertIsRefusal(await find(stranger), { type: 'not_found' });
    assertIsRefusal(await find(erasing, '/api/v1/erasures/none'), { type: 'not_found' });
  });

  it('and is looked at before anything else of the request', async () => {
    const broken = {
      headers: { authorization: undefined, 'content-type': 'text/html' },
      body: '{',
    };
    await tributary.assertRefused({ path: '/api/v1/goals', ...broken }, { type: 'unauthorized' });
    const key = await createKey('stats:read');
    await untilKnown(key);
    const lacking = { headers: { ...bearer(key), 'content-type': 'text/html' }, body: '{' };
    await tributary.assertRefused({ path: '/api/v1/goals', ...lacking }, { type: 'forbidden' });
  });

  it('and the other checks follow in their order', async () => {
    const large = '['.repeat(65 * 1024);
    const send = (headers: Record<string, string>, body: unknown) =>
      tributary.send({ path: '/api/v1/goals', headers, body });
    assertIsRefusal(await send({ 'content-type': 'text/html' }, large), {
      type: 'unsupported_media_type',
    });
    assertIsRefusal(await send({}, large), { type: 'request_too_large' });
    assertIsRefusal(await send({}, '{"name":'), { type: 'invalid_json' });
    assertIsRefusal(await send({}, { service_visitor_id: 'a-bot' }), { type: 'invalid_request' });
    assertIsRefusal(await send({}, goal({ service_visitor_id: 'a-bot' })), { type: 'bot_visitor' });
  });
});
