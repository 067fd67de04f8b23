import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import {
  BOT,
  BROWSER,
  goal,
  pageview,
  payment,
  type RefusingServer,
  SITE,
  shareRefusingServer,
} from './refusing-server.ts';

/** A good caller's write, except for the given changes. */
type Case = readonly [
  name: string,
  path: 'goals' | 'payments' | 'events' | 'identify',
  body: unknown,
  headers?: Readonly<Record<string, string>>,
];

/** The parts of an answer that are the same for every request. */
type Told = { status: number; headers: Record<string, unknown>; body: string };

const IDS = /[0-9a-f]{8}-[0-9a-z-]+/g;
const PAGE = { origin: `https://${SITE}`, host: SITE };
const NO_KEY = { authorization: '' };

/**
 * A chunked body goes through the framework, one of known length bypasses it, and one that arrives in one piece also
 * bypasses Node's HTTP; callers must not be able to tell.
 */
const WAYS = ['in chunks', 'behind its head', 'in one piece'] as const;

describe('a write is answered alike, whether its body comes in chunks, behind its head, or with it:', () => {
  let tributary: RefusingServer;
  before(async () => {
    tributary = await shareRefusingServer();
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
      const send = (way: (typeof WAYS)[number]) => tell(`/api/v1/${path}`, bytes, headers, way);
      let first = await send('in chunks');
      assert.notEqual(first.status, 500);
      // Duplicates are only reported the second time.
      if (first.status === 200) first = await send('in chunks');
      for (const way of WAYS) assert.deepEqual(await send(way), first, way);
    });
  }

  async function tell(
    path: string,
    bytes: Buffer,
    headers: Readonly<Record<string, string>>,
    way: (typeof WAYS)[number],
  ): Promise<Told> {
    const sent: Record<string, string> = {
      authorization: `Bearer ${tributary.key}`,
      'content-type': 'application/json',
      'user-agent': BROWSER,
      ...headers,
    };
    sent.authorization = String(sent.authorization).replace('KEY', tributary.key);
    if (sent.authorization === '') delete sent.authorization;
    if (way === 'in chunks') sent['transfer-encoding'] = 'chunked';
    else sent['content-length'] = String(bytes.length);
    const post = way === 'in one piece' ? postInOnePiece : postAfterHead;
    const answer = await readAnswer(() => post(new URL(path, tributary.server.url), sent, bytes));
    const told: Record<string, string> = {};
    for (const [name, value] of Object.entries(answer.headers)) told[name] = String(value);
    delete told.date;
    delete told['ratelimit-remaining'];
    delete told['ratelimit-reset']; // Seconds, which change over time.
    const id = String(told['x-request-id']).replace(IDS, 'an-id');
    const body = answer.body.replaceAll(String(told['x-request-id']), id).replace(IDS, 'an-id');
    return {
      status: answer.status,
      headers: { ...told, 'x-request-id': id, 'content-length': body.length },
      body,
    };
  }
});

const TRIES_MAX = 10;

/** Refusing a body before its end breaks the sender's connection, sometimes before it has read the answer. */
async function readAnswer(send: () => Promise<Told>): Promise<Told> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await send();
    } catch (error) {
      const isCutOff = ['EPIPE', 'ECONNRESET'].includes(
        (error as NodeJS.ErrnoException).code ?? '',
      );
      if (!isCutOff || tries === TRIES_MAX) throw error;
    }
  }
}

type Post = (url: URL, headers: Readonly<Record<string, string>>, bytes: Buffer) => Promise<Told>;

const postAfterHead: Post = async (url, headers, bytes) => {
  const asked = request(url, { method: 'POST', headers });
  asked.on('error', () => {}); // The body is refused before its end.
  asked.flushHeaders();
  setTimeout(() => asked.end(bytes), 10);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const body = Buffer.concat(await answer.toArray()).toString();
  return { status: answer.statusCode ?? 0, headers: answer.headers, body };
};

const postInOnePiece: Post = async ({ pathname, host, hostname, port }, headers, bytes) => {
  const lines = Object.entries({ host, connection: 'keep-alive', ...headers });
  const head = `POST ${pathname} HTTP/1.1\r\n${lines.map((line) => `${line.join(': ')}\r\n`).join('')}\r\n`;
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(Buffer.concat([Buffer.from(head, 'latin1'), bytes]));
  let text = '';
  for await (const chunk of socket) {
    text += chunk.toString('latin1');
    const answer = toAnswer(text);
    if (answer !== undefined) return answer; // Which closes the socket.
  }
  throw new Error(`only ${JSON.stringify(text)} was answered`);
};

/** The answer, once complete. */
function toAnswer(text: string): Told | undefined {
  const [head = '', body] = text.split('\r\n\r\n');
  const [first, ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => line.split(': ')).map(([name = '', value]) => [name.toLowerCase(), value]),
  );
  if (body === undefined || body.length < Number(headers['content-length'])) return undefined;
  return {
    status: Number(first?.split(' ')[1]),
    headers,
    body: Buffer.from(body, 'latin1').toString(),
  };
}

function toBytes(body: unknown): Buffer {
  if (body instanceof Buffer) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}
