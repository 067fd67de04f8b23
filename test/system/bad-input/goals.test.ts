import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { BOT, goal, type RefusingServer, shareRefusingServer, VISITOR } from './refusing-server.ts';

const PATH = '/api/v1/goals';

describe('a goal is refused', () => {
  let tributary: RefusingServer;
  before(async () => {
    tributary = await shareRefusingServer();
  });
  after(() => tributary?.stop());

  const metadata = (value: unknown) => goal({ metadata: value });
  const manyProperties = Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`p${n}`, 'v']));
  const cases: readonly [rule: string, body: unknown, ...paths: string[]][] = [
    ['without a visitor', { name: 'signup' }, '/service_visitor_id'],
    ['without a name', { service_visitor_id: VISITOR }, '/name'],
    ['without anything, naming both', {}, '/service_visitor_id', '/name'],
    ['when it is no object but a list', [goal()], ''],
    ['when it is null', 'null', ''],
    ['when it is a text', '"signup"', ''],
    ['with an empty visitor id', goal({ service_visitor_id: '' }), '/service_visitor_id'],
    [
      'with a visitor id of 129',
      goal({ service_visitor_id: 'v'.repeat(129) }),
      '/service_visitor_id',
    ],
    ['with a blank in the visitor id', goal({ service_visitor_id: 'a b' }), '/service_visitor_id'],
    [
      'with a newline after the visitor id',
      goal({ service_visitor_id: 'a\n' }),
      '/service_visitor_id',
    ],
    ['with a number as visitor id', goal({ service_visitor_id: 7 }), '/service_visitor_id'],
    ['with an upper-case name', goal({ name: 'Signup' }), '/name'],
    ['with a name of 65', goal({ name: 'n'.repeat(65) }), '/name'],
    ['with an empty name', goal({ name: '' }), '/name'],
    ['with a blank in the name', goal({ name: 'sign up' }), '/name'],
    ['with a letter that is not a to z', goal({ name: 'añadir' }), '/name'],
    ['with a name of null', goal({ name: null }), '/name'],
    ['with a list as metadata', metadata(['a']), '/metadata'],
    ['with a text as metadata', metadata('a'), '/metadata'],
    ['with eleven properties', metadata(manyProperties), '/metadata'],
    ['with a value of 256 characters', metadata({ a: 'x'.repeat(256) }), '/metadata/a'],
    ['with a value of 256 astral characters', metadata({ a: '😀'.repeat(256) }), '/metadata/a'],
    ['with a number as value', metadata({ a: 1 }), '/metadata/a'],
    ['with null as value', metadata({ a: null }), '/metadata/a'],
    ['with a list as value', metadata({ a: ['x'] }), '/metadata/a'],
    ['with an object as value', metadata({ a: { b: 'x' } }), '/metadata/a'],
    ['with a truth value', metadata({ a: true }), '/metadata/a'],
    ['with an upper-case property', metadata({ Plan: 'x' }), '/metadata/Plan'],
    ['with an empty property name', metadata({ '': 'x' }), '/metadata/'],
    [
      'with a property name of 65',
      metadata({ ['p'.repeat(65)]: 'x' }),
      `/metadata/${'p'.repeat(65)}`,
    ],
    ['with a slash in a property name', metadata({ 'a/b': 'x' }), '/metadata/a~1b'],
    ['with a newline in a property name', metadata({ 'a\nb': 'x' }), '/metadata/a\nb'],
    ['with a NUL in a value', metadata({ a: 'x\0y' }), '/metadata/a'],
    [
      'with a lone surrogate in a value',
      `{"service_visitor_id":"${VISITOR}","name":"signup","metadata":{"a":"\\ud83d"}}`,
      '/metadata/a',
    ],
    [
      'with faults in many places, naming each',
      { service_visitor_id: '', name: 'UP', metadata: { a: 1, b: null, C: 'x' } },
      ...['/service_visitor_id', '/name', '/metadata/a', '/metadata/b', '/metadata/C'],
    ],
  ];
  for (const [rule, body, ...paths] of cases) {
    it(rule, async () => {
      await tributary.assertRefused({ path: PATH, body }, { type: 'invalid_request', paths });
    });
  }

  it('of a bot', async () => {
    await tributary.assertRefused(
      { path: PATH, body: goal({ service_visitor_id: BOT }) },
      { type: 'bot_visitor' },
    );
  });

  it('of a visitor without a pageview, naming the visitor and the site', async () => {
    const { body } = await tributary.assertRefused(
      { path: PATH, body: goal({ service_visitor_id: 'nobody-yet' }) },
      { type: 'visitor_not_found' },
    );
    const { message } = body.error as { message: string };
    assert.equal(message, 'No pageview of visitor nobody-yet is recorded on example.com.');
  });

  for (const [rule, key] of [
    ['an empty Idempotency-Key', ''],
    ['an Idempotency-Key of 256', 'k'.repeat(256)],
    ['an Idempotency-Key beyond ASCII', 'clé'],
  ] as const) {
    it(`with ${rule}`, async () => {
      await tributary.assertRefused(
        { path: PATH, body: goal(), headers: { 'idempotency-key': key } },
        { type: 'invalid_request', paths: ['/headers/idempotency-key'] },
      );
    });
  }

  it('when its Idempotency-Key came before with another body', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = await tributary.send({ path: PATH, body: goal(), headers });
    assert.equal(first.code, 200);
    await tributary.assertRefused(
      { path: PATH, body: goal({ name: 'other' }), headers },
      { type: 'idempotency_conflict' },
    );
    const again = await tributary.assertNothingRecorded(() =>
      tributary.send({ path: PATH, body: goal(), headers }),
    );
    assert.deepEqual(again.body, first.body);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
  });

  it('and yet a good one at every limit is accepted', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 10 }, (_, n) => [`${n}`.padEnd(64, '_'), '😀'.repeat(255)]),
    );
    const answer = await tributary.send({
      path: PATH,
      headers: { 'content-type': 'Application/JSON; charset=utf-8' },
      body: goal({ name: 'a-z_0'.padEnd(64, '9'), metadata: properties, unknown: { a: [] } }),
    });
    assert.equal(answer.code, 200);
    assert.deepEqual(Object.keys(answer.body), ['status', 'data']);
  });
});
