import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Credential } from '#server/requests/authenticate.ts';
import { toVisitorCookie } from './visitor-cookie.ts';

const KEY: Credential = { id: 'k', siteId: 's', scopes: [] };

const cookieOf = (
  page: string,
  host: string,
  origin?: string,
  apiKey: Credential | null = null,
  cookie_domain = 'shop.example',
) =>
  toVisitorCookie(
    {
      visitorId: 'ada',
      address: new URL(page),
      event: { site: 'shop.example', type: 'pageview', cookie_domain },
    },
    { host, headers: { origin }, apiKey },
  );

describe('the cookie that the server sets', () => {
  it('is the script’s own, on the registrable domain', () => {
    assert.equal(
      cookieOf('https://www.shop.co.uk/a', 'www.shop.co.uk', 'https://www.shop.co.uk'),
      'service_visitor_id=ada; Path=/; Max-Age=31536000; SameSite=Lax; Domain=shop.co.uk; Secure',
    );
  });

  it('is not Secure where the page is not', () => {
    assert.equal(
      cookieOf('http://shop.example:8080/', 'shop.example:8080', 'http://shop.example:8080'),
      'service_visitor_id=ada; Path=/; Max-Age=31536000; SameSite=Lax; Domain=shop.example',
    );
  });

  it('is the host’s alone where there is no registrable domain', () => {
    assert.doesNotMatch(
      cookieOf('http://127.0.0.1/', '127.0.0.1', 'http://127.0.0.1') ?? '',
      /Domain/,
    );
  });

  it('is the host’s alone where the script’s own is', () => {
    const ask = ['https://a.shop.example/', 'a.shop.example', 'https://a.shop.example'] as const;
    assert.doesNotMatch(cookieOf(...ask, null, '') ?? '', /Domain/);
    assert.match(cookieOf(...ask, null, 'x; Path=/') ?? '', /; Domain=shop\.example;/);
  });

  const others: readonly [rule: string, ...Parameters<typeof cookieOf>][] = [
    ['of another host', 'https://shop.example/', 'stats.example', 'https://shop.example'],
    ['of a subdomain', 'https://shop.example/', 'stats.shop.example', 'https://shop.example'],
    [
      'that another site’s form sent',
      'https://shop.example/',
      'shop.example',
      'https://evil.example',
    ],
    ['without an origin', 'https://shop.example/', 'shop.example'],
    [
      'of a server with a key',
      'https://shop.example/',
      'shop.example',
      'https://shop.example',
      KEY,
    ],
  ];
  for (const [rule, ...asked] of others) {
    it(`is not set by a request ${rule}`, () => assert.equal(cookieOf(...asked), undefined));
  }
});
