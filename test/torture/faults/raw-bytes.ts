import { connect } from 'node:net';
import type { Chance } from '#cli/demo/chance.ts';

/** The outcome of connections that sent arbitrary bytes. */
export type RawFigures = { readonly connections: number; readonly serverErrors: number };

const AT_ONCE = 128;
const ANSWER_MAX_MS = 300;

/** Sends bytes that are not, or almost, a request, each on its own connection. */
export async function sendRawBytes(
  port: number,
  chance: Chance,
  connections: number,
): Promise<RawFigures> {
  const plans = Array.from({ length: connections }, () => planBytes(chance)).values();
  let serverErrors = 0;
  const sender = async () => {
    for (const bytes of plans) {
      if (/^HTTP\/1\.1 5/m.test(await sendOne(port, bytes))) serverErrors += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sender));
  return { connections, serverErrors };
}

const REQUEST_LINES = [
  'POST /api/v1/goals HTTP/1.1',
  'POST /api/v1/events HTTP/9.9',
  'GET / HTTP/1.1',
  'get /healthz http/1.1',
  'POST /%ff%fe%00 HTTP/1.1',
  'OPTIONS * HTTP/1.1',
  'CONNECT example.com:443 HTTP/1.1',
  'PRI * HTTP/2.0',
  'POST http://[::1 HTTP/1.1',
];
const HEADERS = [
  'content-length: 10',
  'content-length: -1',
  'content-length: 99999999999999999999',
  'content-length: 5\r\ncontent-length: 6',
  'transfer-encoding: chunked',
  'transfer-encoding: chunked\r\ncontent-length: 3',
  'transfer-encoding: gzip, chunked',
  'content-type: application/json; charset=\xff',
  'authorization: Bearer \x00\x01',
  'expect: 100-continue',
  'upgrade: websocket\r\nconnection: upgrade',
  ': nameless',
  'folded: a\r\n b',
  `x-long: ${'x'.repeat(20_000)}`,
];
const BODIES = [
  '',
  '{}',
  'ZZ\r\n{}\r\n0\r\n\r\n',
  '5\r\nabc',
  '-1\r\n\r\n',
  'ffffffffffffffff\r\n',
];

function planBytes(chance: Chance): Buffer {
  const one = (list: readonly string[]) => list[chance.whole(0, list.length - 1)] ?? '';
  const noise = Buffer.from(chance.digits(2 * chance.whole(1, 200)).padEnd(2, '0'), 'hex');
  if (chance.isTrue(0.25)) return noise;
  const head = [one(REQUEST_LINES), 'host: torture.example', one(HEADERS), one(HEADERS)];
  const text = Buffer.from(`${head.join('\r\n')}\r\n\r\n${one(BODIES)}`, 'latin1');
  const cut = text.subarray(0, chance.isTrue(0.3) ? chance.whole(1, text.length) : text.length);
  return chance.isTrue(0.2) ? Buffer.concat([cut, noise]) : cut;
}

/** The answer until the server closed, or the sender gave up and hung up. */
function sendOne(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(bytes));
    const timer = setTimeout(() => socket.destroy(), ANSWER_MAX_MS);
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(text);
    });
  });
}
