import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { formatIn } from './intl-forms.ts';
import { findMeant, findNamed, nameBrowser, nameRow, nameValue, toSearch } from './values.ts';

before(() => formatIn('en'));
after(() => formatIn());

const COUNTRY = 'visit:country';

describe('a value as people see it', () => {
  it('is a name where it is a code', () => {
    assert.equal(nameValue(COUNTRY, 'AT'), 'Austria');
    assert.equal(nameValue('visit:language', 'de-AT'), 'German (Austria)');
    assert.equal(nameValue('visit:language', 'no language'), 'no language');
    assert.equal(nameValue('visit:device', 'tv'), 'TV');
    assert.equal(nameValue('event:page', '/caf%C3%A9'), '/café');
    assert.equal(nameValue('visit:campaign', 'caf%C3%A9'), 'caf%C3%A9');
  });
});

describe('what a row is called', () => {
  const country = { dimension: 'visit:country', none: 'Unknown' };
  it('is a country in the reader’s language, with its code', () => {
    assert.deepEqual(nameRow(country, 'DE'), { code: 'DE', text: 'Germany' });
    formatIn('fr');
    assert.deepEqual(nameRow(country, 'DE'), { code: 'DE', text: 'Allemagne' });
    formatIn('en');
    assert.deepEqual(nameRow(country, '<b>'), { code: '<b>', text: '<b>' });
  });
  it('says in words that there is none', () => {
    assert.deepEqual(nameRow(country, '(none)'), { text: 'Unknown' });
    assert.deepEqual(nameRow({ dimension: 'visit:term' }, '(none)'), { text: '(none)' });
  });
  it('is a page as people read it', () => {
    assert.deepEqual(nameRow({ dimension: 'event:page' }, '/caf%C3%A9'), { text: '/café' });
  });
});

describe('a value is found', () => {
  it('by the name or the code that people see', () => {
    const codes = ['DE', 'AT', 'AU', '(none)'];
    assert.deepEqual(findNamed(codes, COUNTRY, 'austri'), ['AT']);
    formatIn('de');
    assert.deepEqual(findNamed(codes, COUNTRY, 'Österreich'), ['AT']);
    assert.deepEqual(findNamed(codes, COUNTRY, 'at'), ['AT']);
    formatIn('en');
    assert.deepEqual(findNamed(codes, COUNTRY, 'none'), ['(none)']);
    assert.deepEqual(findNamed(['de-AT', 'en'], 'visit:language', 'german'), ['de-AT']);
  });

  it('where the API is asked, too', () => {
    formatIn('de');
    assert.deepEqual(toSearch(COUNTRY, 'Österreich'), ['is', COUNTRY, ['AT']]);
    formatIn('en');
    const any = { case_sensitive: false };
    assert.deepEqual(toSearch(COUNTRY, 'nowhere'), ['contains', COUNTRY, ['nowhere'], any]);
    const forms = ['é', '%C3%A9', '%C3%89'];
    assert.deepEqual(toSearch('event:page', 'é'), ['contains', 'event:page', forms, any]);
  });
});

describe('what is typed', () => {
  it('stands for the code of that name, and for nothing if it is nobody’s', () => {
    const typed = (text: string, found: readonly string[]) => findMeant(COUNTRY, text, found);
    assert.equal(typed('austria', ['AT']), 'AT');
    assert.equal(typed('Niger', ['NG', 'NE']), 'NE');
    assert.equal(typed('Austr', ['AT']), 'AT');
    assert.equal(typed('Aust', ['AT', 'AU']), undefined);
    assert.equal(typed('Atlantis', []), undefined);
  });

  it('stands for the path that people read so', () => {
    const paths = ['/caf%C3%A9/menu', '/caf%c3%a9'];
    assert.equal(findMeant('event:page', '/Café', paths), '/caf%c3%a9');
  });
});

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

describe('a browser that somebody is signed in with', () => {
  const cases = [
    [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/146.0.0.0 Safari/537.36`, 'Chrome on Linux'],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/146.0.0.0 Safari/537.36 Edg/146.0.0.0`,
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0',
      'Firefox on Windows',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
      'Safari on macOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/146.0 Mobile/15E148 Safari/604.1',
      'Chrome on iOS',
    ],
    [
      `Mozilla/5.0 (Linux; Android 16; SM-S938B) ${WEBKIT} SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36`,
      'Samsung Internet on Android',
    ],
    ['curl/8.14.1', 'curl/8.14.1'],
    ['', 'Unknown browser'],
  ] as const;
  for (const [userAgent, name] of cases) {
    it(`is ${name}`, () => assert.equal(nameBrowser(userAgent), name));
  }
});
