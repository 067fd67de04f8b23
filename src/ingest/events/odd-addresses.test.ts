import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createEnricher } from '#enrich/enrich-event.ts';
import { newUuid } from '../new-uuid.ts';
import { dropBadAddress, dropForeignHost } from './drop-steps.ts';
import { type EventDraft, newDraft, type StepPorts } from './event-draft.ts';
import { parseEvent } from './parse-event.ts';
import { putAcquisition, putAddress } from './put-facts.ts';
import { toRow } from './to-row.ts';

const enricher = createEnricher();
const SITE = { id: 's', domain: 'example.com', timezone: 'UTC', currency: 'EUR', allowedHosts: [] };

describe('odd addresses', () => {
  function put(url: string, more: object = {}): EventDraft | string {
    const sent = { site: 'x', type: 'pageview', url, service_visitor_id: 'ada', ...more };
    const parsed = parseEvent(sent, false);
    if (!parsed.ok) return 'invalid_event';
    const sender = { userAgent: '', trustedSiteId: undefined };
    const clock = { receivedAt: 0, sentAt: undefined };
    const draft = newDraft({ index: 0, event: parsed.value, sender, ...clock });
    const settings = { maskPaths: ['/orders/*'] };
    draft.site = { ...SITE, settings, allowedHosts: [URL.parse(url)?.hostname ?? ''] };
    const ports = { enricher } as StepPorts;
    putAddress(draft, ports);
    const reason = dropBadAddress(draft) ?? dropForeignHost(draft);
    if (reason !== undefined) return reason;
    putAcquisition(draft, ports);
    return draft;
  }

  function rowOf(url: string, more: object = {}) {
    const draft = put(url, more);
    assert.ok(typeof draft !== 'string', String(draft));
    return toRow(draft, newUuid);
  }

  const taken = [
    ['https://example.com', 'example.com', '/'],
    ['HTTPS://EXAMPLE.COM/A', 'example.com', '/A'],
    ['https://example.com:8443/a//b/../c', 'example.com', '/a//c'],
    ['https://user:secret@example.com/a', 'example.com', '/a'],
    ['https://example.com/%zz%', 'example.com', '/%zz%'],
    ['https://example.com/\u001fa\tb\n', 'example.com', '/%1Fab'],
    ['https://bücher.example/straße', 'xn--bcher-kva.example', '/stra%C3%9Fe'],
    ['https://مثال.إختبار/صفحة', 'xn--mgbh0fb.xn--kgbechtv', '/%D8%B5%D9%81%D8%AD%D8%A9'],
    ['https://例え.テスト/', 'xn--r8jz45g.xn--zckzah', '/'],
    ['https://[2001:db8::1]/a', '[2001:db8::1]', '/a'],
    ['  https://example.com/a  ', 'example.com', '/a'],
  ] as const;
  for (const [url, hostname, path] of taken) {
    it(`${JSON.stringify(url)} is ${path} of ${hostname}`, () => {
      const row = rowOf(url);
      assert.deepEqual([row.hostname, row.path], [hostname, path]);
    });
  }

  const broken = [
    '',
    'notaurl',
    'example.com/a',
    '//example.com',
    'http://',
    'https://[',
    'https://exa mple',
  ];
  const noPages = ['about:blank', 'file:///etc/passwd', 'javascript:alert(1)', 'data:text/html,x'];
  for (const url of broken) {
    it(`${JSON.stringify(url)} is no address`, () => assert.equal(put(url), 'invalid_event'));
  }
  for (const url of noPages) {
    it(`${JSON.stringify(url)} is no page`, () => assert.equal(put(url), 'hostname_not_allowed'));
  }

  it('a query string of ten kilobytes is read for its campaign tags', () => {
    const url = `https://example.com/a?utm_source=tea&x=${'y'.repeat(10_000)}&utm_medium=email`;
    const row = rowOf(url);
    assert.deepEqual([row.path, row.source, row.medium], ['/a', 'tea', undefined]);
  });

  it('of a thousand tags, the first of each name is read', () => {
    const tags = Array.from({ length: 1_500 }, (_, index) => `utm_source=s${index}`).join('&');
    assert.equal(rowOf(`https://example.com/?${tags}`).source, 's0');
  });

  const titles = [
    ['half a character', 'Tea \ud83d', 'Tea '],
    ['a NUL', 'Te\0a', 'Tea'],
    ['nothing else', '\ud83d', undefined],
    ['two ways of writing', 'שלום Tea \u202e', 'שלום Tea \u202e'],
    ['ten thousand letters', '😀'.repeat(10_000), '😀'.repeat(255)],
  ] as const;
  for (const [what, title, kept] of titles) {
    it(`a title with ${what} costs no pageview`, () => {
      assert.equal(rowOf('https://example.com/', { title }).title, kept);
    });
  }

  it('a long path is truncated', () => {
    assert.equal(rowOf(`https://example.com/${'a'.repeat(20_000)}`).path?.length, 2_048);
  });

  const token = 'd41d8cd98f00b204e9800998ecf8427e';
  const secret = [
    [`https://example.com/reset-password/${token}?x=${token}`, '/reset-password/…'],
    ['https://example.com/users/anna@example.com', '/users/…'],
    ['https://example.com/orders/17', '/orders/…'],
    ['https://example.com/ORDERS/17/', '/orders/…'],
    [`https://example.com/#/reset/${token}`, '/#/reset/…'],
    ['https://example.com/#/settings?email=anna@example.com', '/#/settings'],
    ['https://example.com/#!/login#access_token=1', '/#!/login'],
  ] as const;
  for (const [url, path] of secret) {
    it(`secrets are masked: ${path}`, () => assert.equal(rowOf(url).path, path));
  }

  it('secrets are masked in referrers, targets and campaign tags', () => {
    const { referrer, target, content } = rowOf('https://example.com/?utm_content=anna@a.example', {
      referrer: `https://mail.example/open/${token}?to=anna@a.example`,
      target: `https://files.example/get?id=7&token=${token}`,
    });
    assert.equal(referrer, 'https://mail.example/open/…');
    assert.equal(target, 'https://files.example/get?id=7&token=…');
    assert.equal(content, '…');
  });

  it('nothing of a referrer’s query or fragment is stored', () => {
    const referrer = 'https://O.example/r?code=4f9a8b7c#/callback?state=1';
    assert.equal(rowOf('https://example.com/', { referrer }).referrer, 'https://O.example/r');
  });

  it('campaign tags are masked as paths are, and click ids are not', () => {
    const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';
    const click = 'EAIaIQobChMI8p3v0bWk_wIVhQCiAx0cXQ2rEAAYASAAEgJ9VvD_BwE';
    const url = `https://example.com/?utm_campaign=${token}&utm_content=${jwt}&utm_term=Sale%20(${token})`;
    const row = rowOf(`${url}&utm_source=mail-${token}&gclid=${click}`);
    assert.deepEqual([row.campaign, row.content, row.term], ['…', '…', 'Sale (…)']);
    assert.deepEqual([row.source, row.click_id_value], ['mail-…', click]);
  });

  it('tags are kept in any script, and broken encodings are read as browsers do', () => {
    const row = rowOf(
      'https://example.com/?utm_source=%D7%A9%D7%9C%D7%95%D7%9D&utm_campaign=%E0%A4%A&utm_term=%FF%fe&utm_content=a%1Fb%00c',
    );
    assert.equal(row.source, 'שלום');
    assert.equal(row.campaign, '\u{fffd}%A');
    assert.equal(row.term, '\u{fffd}\u{fffd}');
    assert.equal(row.content, 'a b c');
  });

  it('a referrer loses its control characters, and an invalid language is dropped', () => {
    const row = rowOf('https://example.com/', {
      referrer: 'https://tea.example/\u001fa',
      language: 'de\u001fDE',
    });
    assert.equal(row.referrer, 'https://tea.example/a');
    assert.equal(row.language, undefined);
    assert.equal(rowOf('https://example.com/', { language: 'sr-Latn-RS' }).language, 'sr-Latn-RS');
  });

  it('never fail, and never contain the separator of a visit’s values', () => {
    const text = fc.oneof(
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.string({ unit: 'binary' }).map((path) => `https://example.com/${path}?utm_source=${path}`),
    );
    fc.assert(
      fc.property(text, text, (url, referrer) => {
        const draft = put(url, { referrer });
        if (typeof draft === 'string') return;
        const { path, source, campaign, referrer: kept } = toRow(draft, newUuid);
        for (const value of [path, source, campaign, kept]) assert.ok(!value?.includes('\u001f'));
      }),
    );
  });
});
