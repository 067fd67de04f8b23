import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readPlainRequest } from './read-plain-request.ts';

const USUAL = [
  'POST /api/v1/goals HTTP/1.1',
  'Host: stats.example',
  'Authorization: Bearer trib_1',
  'Content-Type:application/json',
  'User-Agent: \t curl/8.0 (x; y) \t ',
  'connection: Keep-Alive',
  'x-empty:',
  'Content-Length: 4',
];
const toBytes = (lines: readonly string[], body = '{"":') =>
  Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`, 'latin1');
/** The usual request with this line instead of one of its lines, or with one more. */
const withLine = (line: string, at: number = USUAL.length - 1, instead = 0) =>
  USUAL.toSpliced(at, instead, line);

describe('a plain request', () => {
  it('is read with its path, its headers in small letters, and its body', () => {
    const { path, headers, body } = readPlainRequest(toBytes(USUAL)) ?? {};
    assert.equal(path, '/api/v1/goals');
    assert.deepEqual(
      { ...headers },
      {
        host: 'stats.example',
        authorization: 'Bearer trib_1',
        'content-type': 'application/json',
        'user-agent': 'curl/8.0 (x; y)',
        connection: 'Keep-Alive',
        'x-empty': '',
        'content-length': '4',
      },
    );
    assert.equal(body?.toString(), '{"":');
  });

  const others: readonly (readonly [string, Buffer])[] = [
    ['another method', toBytes(withLine('PUT /api/v1/goals HTTP/1.1', 0, 1))],
    ['an older version', toBytes(withLine('POST /api/v1/goals HTTP/1.0', 0, 1))],
    ['a whole address', toBytes(withLine('POST http://a/api/v1/goals HTTP/1.1', 0, 1))],
    ['a query', toBytes(withLine('POST /api/v1/goals?a HTTP/1.1', 0, 1))],
    ['blanks in its first line', toBytes(withLine('POST  /api/v1/goals HTTP/1.1', 0, 1))],
    ['an empty line before it', toBytes(withLine('', 0))],
    ['no host', toBytes(USUAL.toSpliced(1, 1))],
    ['two hosts', toBytes(withLine('host: stats.example'))],
    ['a header twice, in other letters', toBytes(withLine('X-EMPTY: a'))],
    ['a blank before a colon', toBytes(withLine('a : b'))],
    ['a folded line', toBytes(withLine(' folded'))],
    ['a line without a colon', toBytes(withLine('nothing'))],
    ['a header without a name', toBytes(withLine(': b'))],
    ['a name with an underscore', toBytes(withLine('content_length: 9'))],
    ['a bare line feed', toBytes(withLine('a: b\nc: d'))],
    ['a bare carriage return', toBytes(withLine('a: b\rc: d'))],
    ['a byte of zero', toBytes(withLine('a: b\0'))],
    ['a letter that is not ASCII', toBytes(withLine('a: \xe9'))],
    ['a body in chunks', toBytes(withLine('Transfer-Encoding: chunked'))],
    ['a connection that ends', toBytes(withLine('connection: close', 5, 1))],
    ['a change of protocol', toBytes(withLine('Upgrade: h2c'))],
    ['an expectation', toBytes(withLine('Expect: 100-continue'))],
    ['no length', toBytes(USUAL.slice(0, -1))],
    ['two lengths', toBytes(withLine('Content-Length: 4'))],
    ['a list of lengths', toBytes(withLine('Content-Length: 4, 4', 7, 1))],
    ['a length with a sign', toBytes(withLine('Content-Length: +4', 7, 1))],
    ['a length of other digits', toBytes(withLine('Content-Length: 0x4', 7, 1))],
    ['a length of nothing', toBytes(withLine('Content-Length: 0', 7, 1), '')],
    ['less than its length', toBytes(USUAL, '{"":'.slice(1))],
    ['more than its length', toBytes(USUAL, '{"": ')],
    ['another request behind it', Buffer.concat([toBytes(USUAL), toBytes(USUAL)])],
    ['a head that does not end', toBytes(USUAL).subarray(0, 100)],
    ['a head that is too large', toBytes(withLine(`a: ${'x'.repeat(8_192)}`))],
    ['nothing', Buffer.alloc(0)],
  ];
  for (const [name, bytes] of others) {
    it(`is not one with ${name}`, () => assert.equal(readPlainRequest(bytes), undefined));
  }

  it("is read as Node's parser reads it, whatever it is made of", async () => {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        const { url, headers } = request;
        const read: Read = { path: url ?? '', headers, body: Buffer.concat(chunks).toString() };
        response.end(JSON.stringify(read));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(REQUEST, async (bytes) => {
        const own = readPlainRequest(bytes);
        if (own === undefined) return;
        taken += 1;
        const { path, headers } = own;
        const read = { path, headers: { ...headers }, body: own.body.toString() };
        assert.deepEqual(await readByNode(port, bytes), [read]);
      }),
      { numRuns: 1_000 },
    );
    server.closeAllConnections();
    server.close();
    assert.ok(taken > 100, `${taken} were plain`);
  });
});

type Read = { path: string; headers: IncomingHttpHeaders; body: string };

/** Lines that are well-formed and lines that are not, of which some are plain together. */
const LINE = fc.oneof(
  fc.constantFrom(
    'Accept: */*',
    'x-a:  b\t',
    'X-B:',
    'cookie: a=b; c="d"',
    'connection: keep-alive',
    'x_c: d',
    'a : b',
    'Transfer-Encoding: chunked',
    'Content-Length: 3',
    'x-d: \x7f',
  ),
  fc.tuple(fc.stringMatching(/^[A-Za-z0-9-]{1,8}$/), fc.string()).map((parts) => parts.join(':')),
);
const REQUEST = fc
  .record({
    lines: fc.array(LINE, { maxLength: 4 }),
    body: fc.string({ minLength: 1, maxLength: 30, unit: 'grapheme' }),
    more: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, fc.integer({ min: -1, max: 1 })),
  })
  .map(({ lines, body, more }) => {
    const length = `Content-Length: ${Math.max(0, Buffer.byteLength(body) + more)}`;
    const head = ['POST /a/b1 HTTP/1.1', 'Host: a', ...lines, length].join('\r\n');
    return Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), Buffer.from(body)]);
  });

/** All requests that Node finds in these bytes. */
async function readByNode(port: number, bytes: Buffer): Promise<Read[]> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.end(bytes);
  const text = Buffer.concat(await socket.toArray()).toString();
  return text
    .split('HTTP/1.1 200 OK\r\n')
    .slice(1)
    .map((answer) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)));
}
