import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { pageview, type RefusingServer, shareRefusingServer, VISITOR } from './refusing-server.ts';

const PATH = '/api/v1/identify';
const identify = (changes: Readonly<Record<string, unknown>> = {}) => ({
  service_visitor_id: VISITOR,
  user_id: '42',
  ...changes,
});

describe('an identify is refused', () => {
  let tributary: RefusingServer;
  before(async () => {
    tributary = await shareRefusingServer();
  });
  after(() => tributary?.stop());

  const cases: readonly [rule: string, body: unknown, ...paths: string[]][] = [
    ['without anything, naming both', {}, '/service_visitor_id', '/user_id'],
    ['when it is a list', [identify()], ''],
    ['with an odd visitor id', identify({ service_visitor_id: 'a b' }), '/service_visitor_id'],
    [
      'with a visitor id that stands for nobody',
      identify({ service_visitor_id: 'undefined' }),
      '/service_visitor_id',
    ],
    ['with an empty user id', identify({ user_id: '' }), '/user_id'],
    ['with a number as user id', identify({ user_id: 42 }), '/user_id'],
    ['with a user id of 256', identify({ user_id: 'x'.repeat(256) }), '/user_id'],
    ['with a line break in the user id', identify({ user_id: 'a\nb' }), '/user_id'],
    ['with a NUL in the user id', identify({ user_id: 'a\0' }), '/user_id'],
    ['with a user id that stands for nobody', identify({ user_id: ' Guest ' }), '/user_id'],
    ['with [object Object] as user id', identify({ user_id: '[object Object]' }), '/user_id'],
    ['with an e-mail address that is none', identify({ email: 'anna' }), '/email'],
    ['with an e-mail address of 255', identify({ email: `${'a'.repeat(249)}@b.com` }), '/email'],
    ['with an address of nobody', identify({ email: 'Test@test.com' }), '/email'],
    ['with a number among the traits', identify({ traits: { age: 7 } }), '/traits/age'],
    ['with an upper-case trait', identify({ traits: { Plan: 'x' } }), '/traits/Plan'],
  ];
  for (const [rule, body, ...paths] of cases) {
    it(rule, async () => {
      await tributary.assertRefused({ path: PATH, body }, { type: 'invalid_request', paths });
    });
  }

  it('when its Idempotency-Key came with another body, and repeated when with the same', async () => {
    const headers = { 'idempotency-key': 'who-1' };
    const first = await tributary.send({ path: PATH, headers, body: identify() });
    assert.equal(first.code, 200, JSON.stringify(first.body));
    const again = await tributary.assertNothingRecorded(() =>
      tributary.send({ path: PATH, headers, body: identify() }),
    );
    assert.deepEqual(again.body, first.body);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    await tributary.assertRefused(
      { path: PATH, headers, body: identify({ user_id: '43' }) },
      { type: 'idempotency_conflict' },
    );
  });

  it('of a browser without a user id, which costs its neighbours nothing', async () => {
    const { body } = await tributary.send({
      path: '/api/v1/events',
      headers: { authorization: undefined },
      body: { events: [pageview({ type: 'identify' }), pageview()] },
    });
    assert.equal(body.accepted, 1);
    assert.equal((body.dropped as { reason: string }[])[0]?.reason, 'invalid_event');
  });
});
