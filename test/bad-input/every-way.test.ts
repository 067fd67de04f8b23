import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import {
  BOT,
  BROWSER,
  goal,
  pageview,
  payment,
  type RefusingServer,
  SITE,
  startRefusingServer,
} from './refusing-server.ts';

/** A write, as a good caller sends it but for what is given. */
type Case = readonly [
  name: string,
  path: 'goals' | 'payments' | 'events' | 'identify',
  body: unknown,
  headers?: Readonly<Record<string, string>>,
];

/** Of an answer, all that does not differ from one request to the next. */
type Told = { status: number; headers: Record<string, unknown>; body: string };

const IDS = /[0-9a-f]{8}-[0-9a-z-]+/g;
const PAGE = { origin: `https://${SITE}`, host: SITE };
const NO_KEY = { authorization: '' };

/**
 * A body that comes in chunks goes through the framework, a body of known length past it, and nobody
 * must be able to tell.
 */
describe('a write is answered alike, whether its body has a length or comes in chunks:', () => {
  let tributary: RefusingServer;
  before(async () => {
    tributary = await startRefusingServer({
      TRUSTED_PROXIES: '127.0.0.1',
      RATE_LIMIT_WRITES: '1000',
    });
  });
  after(() => tributary?.stop());

  const cases: readonly Case[] = [
    ['a goal', 'goals', goal()],
    ['a goal under a key', 'goals', goal({ name: 'keyed' }), { 'idempotency-key': 'one' }],
    ['the same again', 'goals', goal({ name: 'keyed' }), { 'idempotency-key': 'one' }],
    ['a goal under a key that is none', 'goals', goal(), { 'idempotency-key': 'ü'.repeat(3) }],
    ['a goal with faults', 'goals', { name: 'No', metadata: 7 }],
    ['a goal of nobody', 'goals', goal({ service_visitor_id: 'nobody' })],
    ['a goal of a bot', 'goals', goal({ service_visitor_id: BOT })],
    ['no JSON', 'goals', '{"name":'],
    ['JSON that is too deep', 'payments', `${'['.repeat(50)}${']'.repeat(50)}`],
    ['no UTF-8', 'events', Buffer.from([0x22, 0xff, 0x22])],
    ['nothing', 'goals', ''],
    ['a type that is none of JSON', 'goals', goal(), { 'content-type': 'text/plain' }],
    ['a type with a charset', 'goals', goal(), { 'content-type': 'Application/JSON; charset=x' }],
    ['a compressed body', 'goals', goal(), { 'content-encoding': 'gzip' }],
    ['no key', 'goals', goal(), NO_KEY],
    ['a key that is none', 'payments', payment(), { authorization: 'Bearer trib_no' }],
    ['another scheme', 'payments', payment(), { authorization: 'Basic YTpi' }],
    ['a scheme in other letters', 'goals', goal(), { authorization: 'bearer  KEY' }],
    ['an id of its own', 'goals', goal(), { 'x-request-id': 'mine-1' }],
    ['an id that is none', 'goals', goal(), { 'x-request-id': 'not mine' }],
    ['a payment', 'payments', payment()],
    ['a payment with faults', 'payments', payment({ amount: '1', currency: 'XXX', email: 'no' })],
    ['a payment that says a thing twice', 'payments', '{"amount":1,"amount":2,"currency":"USD"}'],
    ['a payment that contradicts one', 'payments', payment({ currency: 'EUR' })],
    ['who a visitor is', 'identify', { service_visitor_id: 'a-person', user_id: 'u' }],
    ['nothing of who a visitor is', 'identify', { service_visitor_id: 'a-person' }],
    ['a pageview of a browser', 'events', pageview(), NO_KEY],
    ['a beacon', 'events', pageview(), { ...NO_KEY, 'content-type': 'text/plain;charset=UTF-8' }],
    ['a pageview of the same origin', 'events', pageview(), { ...NO_KEY, ...PAGE }],
    [
      'a pageview of the same origin behind a proxy',
      'events',
      pageview(),
      { ...NO_KEY, origin: PAGE.origin, 'x-forwarded-host': `other, ${SITE}` },
    ],
    ['a pageview of a server', 'events', pageview()],
    ['a batch', 'events', { events: [pageview(), { type: 'none' }, pageview({ url: 'x' })] }],
    ['an event that is none', 'events', [pageview()], NO_KEY],
    ['an event that is too large', 'events', pageview({ title: 'x'.repeat(70_000) }), NO_KEY],
    ['a body that is too large', 'events', 'x'.repeat(1_100_000), NO_KEY],
    ['a bad key beside a pageview', 'events', pageview(), { authorization: 'Bearer trib_no' }],
  ];
  for (const [name, path, body, headers = {}] of cases) {
    it(name, async () => {
      const bytes = toBytes(body);
      const send = (isInChunks: boolean) => tell(`/api/v1/${path}`, bytes, headers, isInChunks);
      const first = await send(true);
      assert.notEqual(first.status, 500);
      // What counts once is told of the second time only.
      assert.deepEqual(await send(false), first.status === 200 ? await send(true) : first);
    });
  }

  async function tell(
    path: string,
    bytes: Buffer,
    headers: Readonly<Record<string, string>>,
    isInChunks: boolean,
  ): Promise<Told> {
    const sent: Record<string, string | number> = {
      authorization: `Bearer ${tributary.key}`,
      'content-type': 'application/json',
      'user-agent': BROWSER,
      ...headers,
    };
    sent.authorization = String(sent.authorization).replace('KEY', tributary.key);
    if (sent.authorization === '') delete sent.authorization;
    if (isInChunks) sent['transfer-encoding'] = 'chunked';
    else sent['content-length'] = bytes.length;
    const asked = request(`${tributary.server.url}${path}`, { method: 'POST', headers: sent });
    asked.on('error', () => {}); // A body that is refused before its end.
    asked.end(bytes);
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    const text = Buffer.concat(await answer.toArray()).toString();
    const told: Record<string, unknown> = { ...answer.headers };
    delete told.date;
    delete told['ratelimit-remaining'];
    const id = String(told['x-request-id']).replace(IDS, 'an-id');
    const body = text.replaceAll(String(told['x-request-id']), id).replace(IDS, 'an-id');
    return {
      status: answer.statusCode ?? 0,
      headers: { ...told, 'x-request-id': id, 'content-length': body.length },
      body,
    };
  }
});

function toBytes(body: unknown): Buffer {
  if (body instanceof Buffer) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}
