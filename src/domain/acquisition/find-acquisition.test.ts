import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Acquisition, AcquisitionFacts, Arrival } from './acquisition.ts';
import { findAcquisition } from './find-acquisition.ts';

/** A small world: two brands, three click ids, one place to pay, one network of ads. */
const FACTS: AcquisitionFacts = {
  names: {
    nameHost: (host) => BRANDS_BY_HOST[host] ?? host,
    nameTag: (tag) => (tag === 'fb' ? 'Facebook' : tag),
    kindOf: (source) => (source === 'Google' ? 'search' : ''),
  },
  clickIds: [
    { parameter: 'gclid', source: 'Google', medium: 'cpc', kin: [] },
    { parameter: 'msclkid', source: 'Bing', medium: 'cpc', kin: [] },
    { parameter: 'fbclid', source: 'Facebook', medium: '', kin: ['Instagram'] },
  ],
  checkoutHosts: ['checkout.stripe.com', 'paypal.com'],
  signInPages: [
    { host: 'accounts.example', path: '' },
    { host: '*.tenants.example', path: '' },
    { host: 'forge.example', path: '/login' },
    { host: 'friends.example', path: '/*/dialog' },
  ],
  adFrames: [{ host: 'ads.example', source: 'Google', medium: 'display' }],
};
const BRANDS_BY_HOST: Record<string, string> = {
  'google.com': 'Google',
  'instagram.com': 'Instagram',
};

const DIRECT: Acquisition = {
  source: '',
  medium: '',
  campaign: '',
  channel: '',
  term: '',
  content: '',
  clickId: '',
  clickIdValue: '',
  referrer: '',
};

describe('finding where a visitor came from', () => {
  const cases: readonly [
    rule: string,
    tags: Record<string, string>,
    referrerHost: string,
    expected: Partial<Acquisition>,
  ][] = [
    ['nothing is Direct', {}, '', {}],
    ['a referrer is a source by its name', {}, 'google.com', { source: 'Google' }],
    ['utm_source is named by what it means', { utm_source: 'fb' }, '', { source: 'Facebook' }],
    [
      'every utm tag is kept',
      {
        utm_source: 'letter',
        utm_medium: 'email',
        utm_campaign: 'may',
        utm_term: 'shoes',
        utm_content: 'top',
      },
      '',
      { source: 'letter', medium: 'email', campaign: 'may', term: 'shoes', content: 'top' },
    ],
    ['utm_source comes before ref', { utm_source: 'a', ref: 'b' }, '', { source: 'a' }],
    ['ref comes before source', { ref: 'b', source: 'c' }, '', { source: 'b' }],
    ['source comes before via', { source: 'c', via: 'd' }, '', { source: 'c' }],
    ['via comes before a click id', { via: 'd', gclid: '1' }, '', { source: 'd', ...id('gclid') }],
    [
      'a click id comes before the referrer and says what was paid for',
      { gclid: '1' },
      'news.example',
      { source: 'Google', medium: 'cpc', ...id('gclid') },
    ],
    [
      'a click id that others send too leaves the word to their referrer',
      { fbclid: '1' },
      'instagram.com',
      { source: 'Instagram', ...id('fbclid') },
    ],
    [
      'a shared click id under a strange referrer is its owner’s',
      { fbclid: '1' },
      'google.com',
      { source: 'Facebook', ...id('fbclid') },
    ],
    [
      'a written medium stays beside a click id',
      { gclid: '1', utm_medium: 'display' },
      '',
      { source: 'Google', medium: 'display', ...id('gclid') },
    ],
    [
      'a click id of another source says nothing of the medium',
      { gclid: '1', utm_source: 'letter' },
      '',
      { source: 'letter', ...id('gclid') },
    ],
    [
      'of two click ids the first of the table is kept',
      { msclkid: '2', gclid: '1' },
      '',
      { source: 'Google', medium: 'cpc', ...id('gclid') },
    ],
    [
      'a campaign without a source keeps the referrer’s',
      { utm_campaign: 'may' },
      'google.com',
      { source: 'Google', campaign: 'may' },
    ],
    [
      'the frame of an ad was paid for, by its network',
      {},
      'eu.ads.example',
      { source: 'Google', medium: 'display' },
    ],
    [
      'a click id comes before the frame of an ad',
      { gclid: '1' },
      'ads.example',
      { source: 'Google', medium: 'cpc', ...id('gclid') },
    ],
    [
      'a tag comes before the frame of an ad',
      { utm_source: 'letter', utm_campaign: 'may' },
      'ads.example',
      { source: 'letter', campaign: 'may' },
    ],
    ['a ref of the site itself is passed over', { ref: 'Blog.Shop.example' }, '', {}],
    [
      'a utm_source of the site itself is its own newsletter',
      { utm_source: 'shop.example' },
      '',
      { source: 'shop.example' },
    ],
  ];
  for (const [rule, tags, host, expected] of cases) {
    it(rule, () => {
      const found = findAcquisition(arrive(tags, host), FACTS);
      const { channel } = found; // Its rules have tests of their own.
      assert.deepEqual(found, { ...DIRECT, referrer: toUrl(host), channel, ...expected });
      assert.equal(channel === '', expected.source === undefined);
    });
  }

  for (const host of ['shop.example', 'blog.shop.example', 'shop.test', 'paypal.com']) {
    it(`never takes ${host} for a source, where the visitor was or paid`, () => {
      assert.deepEqual(findAcquisition(arrive({}, host), FACTS), DIRECT);
    });
  }

  const signIns = [
    ['https://accounts.example/', ''],
    ['https://eu.accounts.example/o/oauth2?state=1', ''],
    ['https://shop.eu.tenants.example/', ''],
    ['https://tenants.example/', 'tenants.example'],
    ['https://forge.example/login/oauth/authorize?client_id=1', ''],
    ['https://forge.example/', 'forge.example'],
    ['https://forge.example/login-page-designs', 'forge.example'],
    ['https://friends.example/v25.0/dialog/oauth', ''],
    ['https://friends.example/dialog', 'friends.example'],
  ] as const;
  for (const [url, source] of signIns) {
    it(`takes ${url} for ${source || 'a return from signing in, which is no arrival'}`, () => {
      const found = findAcquisition(
        { ...arrive({}, ''), referrer: { url, host: new URL(url).host } },
        FACTS,
      );
      assert.deepEqual([found.source, found.referrer], [source, source && url]);
    });
  }

  it('takes a host that only ends like the site for another', () => {
    const { source } = findAcquisition(arrive({}, 'myshop.example'), FACTS);
    assert.equal(source, 'myshop.example');
  });

  it('names a source whenever one of the source tags is written', () => {
    const sourceTag = fc.constantFrom('utm_source', 'ref', 'source', 'via', 'gclid', 'fbclid');
    const value = fc.string({ minLength: 1 });
    fc.assert(
      fc.property(sourceTag, value, fc.webUrl(), (name, text, referrer) => {
        const found = findAcquisition(arrive({ [name]: text }, new URL(referrer).host), FACTS);
        assert.notEqual(found.source, '');
      }),
    );
  });
});

function arrive(tags: Record<string, string>, host: string): Arrival {
  return {
    tags: new Map(Object.entries(tags)),
    referrer: { url: toUrl(host), host },
    siteHosts: ['shop.example', 'shop.test'],
  };
}

function toUrl(host: string): string {
  return host && `https://${host}/`;
}

function id(parameter: string): Partial<Acquisition> {
  return { clickId: parameter, clickIdValue: '1' };
}
