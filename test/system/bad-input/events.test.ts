import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  BROWSER,
  goal,
  pageview,
  type ReadAnswer,
  type RefusingServer,
  SITE,
  shareRefusingServer,
} from './refusing-server.ts';

const PATH = '/api/v1/events';
type Headers = Readonly<Record<string, string | undefined>>;
const ANYONE: Headers = { authorization: undefined, 'content-type': 'text/plain;charset=UTF-8' };

describe('an event is dropped', () => {
  let tributary: RefusingServer;
  before(async () => {
    tributary = await shareRefusingServer();
  });
  after(() => tributary?.stop());

  const send = (body: unknown, headers: Headers = ANYONE) =>
    tributary.send({ path: PATH, headers, body });

  async function assertDropped(
    body: unknown,
    reason: string,
    path?: string,
    headers: Headers = ANYONE,
  ) {
    const answer = await tributary.assertNothingRecorded(() => send(body, headers));
    assert.equal(answer.code, 200);
    assert.equal(answer.body.accepted, 0);
    const [dropped] = answer.body.dropped as { reason: string; details?: { path: string }[] }[];
    assert.equal(dropped?.reason, reason);
    if (path !== undefined)
      assert.deepEqual(
        dropped?.details?.map((fault) => fault.path),
        [path],
      );
  }

  const invalid: readonly [rule: string, changes: Record<string, unknown>, path: string][] = [
    ['without a site', { site: undefined }, '/site'],

    ['with a bad visitor id', { service_visitor_id: 'a b' }, '/service_visitor_id'],
    ['of no known type', { type: 'hit' }, '/type'],
    ['without a url', { url: undefined }, '/url'],
    ['with a url of 32,769', { url: `https://${SITE}/`.padEnd(32_769, 'x') }, '/url'],
    ['with a url that is none', { url: 'notaurl' }, '/url'],
    ['with a url without its scheme', { url: `//${SITE}/` }, '/url'],
    ['with a NUL in the url', { url: `https://${SITE}/\0` }, '/url'],
    ['with a visit id of version 4', { visit_id: crypto.randomUUID() }, '/visit_id'],
    ['with a text as sent_at', { sent_at: 'now' }, '/sent_at'],
    ['with a screen wider than any', { screen_width: 70_000 }, '/screen_width'],
    ['when a goal has no name', { type: 'goal' }, '/name'],
    ['when a goal’s name is upper case', { type: 'goal', name: 'Signup' }, '/name'],
    [
      'when a goal’s value is a number',
      { type: 'goal', name: 'a', metadata: { n: 1 } },
      '/metadata/n',
    ],
    ['when it identifies nobody', { type: 'identify' }, '/user_id'],
  ];
  for (const [rule, changes, path] of invalid) {
    it(`${rule}, and the fault is named`, () =>
      assertDropped(pageview(changes), 'invalid_event', path));
  }

  it('without a visitor, where the site knows visitors by their cookie', () =>
    assertDropped(pageview({ service_visitor_id: undefined }), 'visitor_missing'));

  it('of an unknown site', () =>
    assertDropped(pageview({ site: 'absent.example' }), 'unknown_site'));

  for (const url of [
    'https://evil.example/',
    `https://${SITE}.evil.example/`,
    `https://not${SITE}/`,
    `https://evil.example/?${SITE}`,
    `https://${SITE}@evil.example/`,
    `http://[::1]/`,
    'about:blank',
    'javascript:alert(1)',
    `ftp://${SITE}/`,
  ]) {
    it(`from ${url}`, () => assertDropped(pageview({ url }), 'hostname_not_allowed'));
  }

  for (const occurred_at of [0, Date.UTC(1999), Date.now() + 25 * 3_600_000]) {
    it(`when a server says that it happened at ${new Date(occurred_at).getUTCFullYear()}`, () => {
      const headers = { ...ANYONE, authorization: `Bearer ${tributary.key}` };
      return assertDropped(
        pageview({ occurred_at }),
        'occurred_at_out_of_range',
        undefined,
        headers,
      );
    });
  }

  it('when a server says an ip that is none', () => {
    const headers = { ...ANYONE, authorization: `Bearer ${tributary.key}` };
    return assertDropped(pageview({ ip: '203.0.113.999' }), 'invalid_event', '/ip', headers);
  });

  it('but not for what is ignored without a key', async () => {
    const ignored = { ip: 7, user_agent: ['x'], occurred_at: 'soon', event_id: 'none' };
    assert.equal((await send(pageview(ignored))).body.accepted, 1);
  });

  it('and costs its neighbours nothing', async () => {
    const events = [
      pageview(),
      7,
      null,
      pageview({ url: 'x' }),
      pageview({ type: 'goal', name: 'a' }),
    ];
    const { body } = await send({ events });
    assert.equal(body.accepted, 2);
    assert.deepEqual(
      (body.dropped as { index: number; reason: string }[]).map(({ index, reason }) => [
        index,
        reason,
      ]),
      [
        [1, 'invalid_event'],
        [2, 'invalid_event'],
        [3, 'invalid_event'],
      ],
    );
  });

  it('with the whole request, when that has no events, or more than 500', async () => {
    const refusals: [body: unknown, path: string][] = [
      ['[]', ''],
      ['7', ''],
      [{ events: [] }, '/events'],
      [{ events: {} }, '/events'],
      [{ events: Array.from({ length: 501 }, () => ({})) }, '/events'],
    ];
    for (const [body, path] of refusals) {
      await tributary.assertRefused(
        { path: PATH, headers: ANYONE, body },
        { type: 'invalid_request', paths: [path] },
      );
    }
  });

  it('and every origin may read so, refusals too, and no credentials are asked for', async () => {
    const answers: ReadAnswer[] = [
      await send(pageview()),
      await send('{'),
      await tributary.send({ path: PATH, method: 'OPTIONS' }),
      await send(pageview(), { ...ANYONE, authorization: 'Bearer wrong' }),
      await tributary.send({ path: PATH, method: 'PUT' }),
    ];
    assert.deepEqual(
      answers.map(({ code }) => code),
      [200, 400, 204, 401, 405],
    );
    for (const { headers } of answers) {
      assert.equal(headers.get('access-control-allow-origin'), '*');
      assert.equal(headers.get('access-control-allow-credentials'), null);
    }
  });

  it('but not when it writes its domain in another case', async () => {
    assert.equal((await send(pageview({ site: SITE.toUpperCase() }))).body.accepted, 1);
  });

  it('but not from a subdomain, at any port, in any case', async () => {
    const visitor = { service_visitor_id: 'at-once' };
    const { body } = await send(pageview({ ...visitor, url: `https://WWW.${SITE}:8443/a` }), {
      ...ANYONE,
      'user-agent': BROWSER,
    });
    assert.deepEqual(body, { status: 'success', accepted: 1, dropped: [] });
    const answer = await tributary.send({ path: '/api/v1/goals', body: goal(visitor) });
    assert.equal(answer.code, 200, 'a goal may follow its pageview at once');
  });
});
