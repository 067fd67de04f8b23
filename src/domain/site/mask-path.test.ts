import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { maskPath, parsePathPatterns } from './mask-path.ts';
import { maskSecrets } from './mask-secrets.ts';

const HEX = 'd41d8cd98f00b204e9800998ecf8427e';
const UUID = '123e4567-e89b-12d3-a456-426614174000';

describe('masking secrets in an address', () => {
  const secrets = [
    [`/reset-password/${HEX}`, '/reset-password/…'],
    [`/reset-password/${UUID}`, '/reset-password/…'],
    ['/reset/MQ/c1b2x3-d41d8cd98f00b204e9800998ecf8427e/', '/reset/MQ/…/'],
    ['/account/verify-email/483920', '/account/verify-email/…'],
    ['/invitations/8f3k2j/accept', '/invitations/…/accept'],
    ['/users/anna@example.com/orders', '/users/…/orders'],
    ['/users/anna%40example.com', '/users/…'],
    ['/s/V1StGXR8Z5jdHi6BmyTq2xK', '/s/…'],
    ['/auth/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', '/auth/…'],
    ['/share/k3j5h2g4f6d8s9a1q0w2e3r4t5y6u7i8', '/share/…'],
    [`/#/invite/${UUID}`, '/#/invite/…'],
    [
      'https://mail.example/open?user=anna@example.com&id=7',
      'https://mail.example/open?user=…&id=7',
    ],
    ['https://a.example/x?token=ab12cd34', 'https://a.example/x?token=…'],
    ['/u/joe%2540x.example/orders', '/u/…/orders'],
    ['/u/joe%252540x.example', '/u/…'],
    ['/items/507f1f77bcf86cd799439011', '/items/…'],
    ['/items/01ARZ3NDEKTSV4RRFFQ69G5FAV', '/items/…'],
    ['/blog/my-first-post-V1StGXR8Z5jdHi6BmyTq', '/blog/…'],
    ['/s/b3V0IG9mIHRoZSBibHVlIDEyMw%3D%3D', '/s/…'],
    ...[
      'reset-password',
      'resetPassword',
      'token',
      'invite',
      'verify',
      'verify-email',
      'magic',
      'magic-link',
      'share',
      'activate',
      'confirm',
    ].flatMap((word) => [
      [`/${word}/abcdefgh`, `/${word}/…`] as const,
      [`/${word}/7f3a9c`, `/${word}/…`] as const,
    ]),
  ] as const;
  for (const [address, masked] of secrets) {
    it(`makes ${masked}`, () => {
      assert.equal(maskSecrets(address), masked);
      assert.equal(maskSecrets(masked), masked, 'and leaves it as it is');
    });
  }

  const pages = [
    ...['/', '/pricing', '/blog/2026/11/the-10-best-teas-of-2026', '/products/1048576', '/@anna'],
    ...[
      '/p/iphone-15-pro-max-256gb',
      '/dp/B08N5WRWNW',
      '/watch/dQw4w9WgXcQ',
      '/c/sha256-vs-sha512',
    ],
    ...[`/products/${UUID}`, `/teas/earl-grey-of-the-finest-${UUID}`, '/npm/react@18.2.0/umd'],
    '/Canon-EOS-R5-RF24-105mm-F4L-IS-USM-Kit-V2-4K60P',
    '/%E3%82%A2%E3%83%97%E3%83%AA%E3%82%B1%E3%83%BC%E3%82%B7%E3%83%A7%E3%83%B3-2026',
    ...['/docs/v2.14.3/how-to-reset-a-password', '/reset/step-2'],
    ...[
      '/donaudampfschifffahrtsgesellschaft1',
      '/verify/summer-party-2026',
      '/orders/1234567890123456',
    ],
    ...['https://news.example/item?id=38471620', 'https://x.example/Path?q=tea+for+2#top'],
  ];
  for (const page of pages) it(`keeps ${page}`, () => assert.equal(maskSecrets(page), page));

  const small = 'abcdefghijklmnopqrstuvwxyz';
  const all = `0123456789${small}${small.toUpperCase()}`;
  const kinds: readonly (readonly [string, (bytes: Buffer) => string])[] = [
    ['nanoid', (bytes) => spell(bytes, `${all}_-`, 21)],
    ['15 bytes in base64url', (bytes) => bytes.toString('base64url', 0, 15)],
    ['16 bytes in base64url', (bytes) => bytes.toString('base64url', 0, 16)],
    ['32 bytes in base64url', (bytes) => bytes.toString('base64url', 0, 32)],
    ['20 characters of base62', (bytes) => spell(bytes, all, 20)],
    ['25 characters of base36', (bytes) => spell(bytes, `0123456789${small}`, 25)],
    ['ULID', (bytes) => `01${spell(bytes, '0123456789ABCDEFGHJKMNPQRSTVWXYZ', 24)}`],
    ['24 hexadecimal digits', (bytes) => bytes.toString('hex', 0, 12)],
    ['28 hexadecimal digits', (bytes) => bytes.toString('hex', 0, 14)],
    ['32 hexadecimal digits', (bytes) => bytes.toString('hex', 0, 16)],
  ];
  for (const [kind, toToken] of kinds) {
    it(`finds 99 % of random tokens: ${kind}`, () => {
      const tokens = Array.from({ length: 2_000 }, (_, at) => toToken(drawBytes(`${kind} ${at}`)));
      const missed = tokens.filter((token) => maskSecrets(`/s/${token}`) !== '/s/…');
      assert.ok(missed.length <= 20, `${missed.length} missed, such as ${missed[0]}`);
    });
  }
});

/** Random bytes, the same in every run. */
function drawBytes(seed: string): Buffer {
  return createHash('sha512').update(seed).digest();
}

function spell(bytes: Buffer, characters: string, length: number): string {
  return Array.from(bytes.subarray(0, length), (byte) => characters[byte % characters.length]).join(
    '',
  );
}

describe('masking a path by the rules of a site', () => {
  const patterns =
    parsePathPatterns('/orders/*, /u/**  /a/*/b/* !/files/* /büro/* /#/room/*') ?? [];
  for (const [path, masked] of [
    ['/orders/17', '/orders/…'],
    ['/orders/17/items', '/orders/17/items'],
    ['/orders', '/orders'],
    ['/orders/', '/orders/'],
    ['/orders/777/', '/orders/…'],
    ['/orders//777', '/orders/…'],
    ['/ORDERS/777', '/orders/…'],
    ['/%6Frders/7%2F7', '/orders/…'],
    ['/u/', '/u/'],
    ['/u/anna', '/u/…'],
    ['/u/anna/photos', '/u/…'],
    ['/a/1/b/2', '/a/…/b/…'],
    ['/a/1/c/2', '/a/1/c/2'],
    [`/files/${HEX}`, `/files/${HEX}`],
    ['/b%C3%BCro/berlin', '/b%C3%BCro/…'],
    ['/b%c3%bcro/berlin/', '/b%C3%BCro/…'],
    [`/FILES/${HEX}/`, `/FILES/${HEX}/`],
    ['/#/room/7', '/#/room/…'],
    [`/other/${HEX}`, '/other/…'],
  ] as const) {
    it(`makes ${masked} of ${path}`, () => assert.equal(maskPath(path, patterns), masked));
  }

  it('takes only paths whose stars are whole segments', () => {
    for (const wrong of [
      'orders/*',
      '/order-*',
      '/**/x',
      '/x/***',
      '/',
      '!',
      `/${'x'.repeat(255)}`,
    ]) {
      assert.equal(parsePathPatterns(wrong), undefined, wrong);
    }
    assert.equal(parsePathPatterns('/a '.repeat(21)), undefined);
    assert.deepEqual(parsePathPatterns(' /a/*,\n/b/** '), ['/a/*', '/b/**']);
  });
});
