import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findMeant, findNamed, nameRow, nameValue, toSearch } from './values.ts';

const COUNTRY = 'visit:country';

describe('a value as people see it', () => {
  it('is a name where it is a code', () => {
    assert.equal(nameValue(COUNTRY, 'AT', 'en'), 'Austria');
    assert.equal(nameValue('visit:language', 'de-AT', 'en'), 'German (Austria)');
    assert.equal(nameValue('visit:language', 'no language', 'en'), 'no language');
    assert.equal(nameValue('visit:device', 'tv'), 'TV');
    assert.equal(nameValue('event:page', '/caf%C3%A9'), '/café');
    assert.equal(nameValue('visit:campaign', 'caf%C3%A9'), 'caf%C3%A9');
  });
});

describe('what a row is called', () => {
  const country = { dimension: 'visit:country', none: 'Unknown' };
  it('is a country in the reader’s language, with its code', () => {
    assert.deepEqual(nameRow(country, 'DE', 'en'), { code: 'DE', text: 'Germany' });
    assert.deepEqual(nameRow(country, 'DE', 'fr'), { code: 'DE', text: 'Allemagne' });
    assert.deepEqual(nameRow(country, '<b>', 'en'), { code: '<b>', text: '<b>' });
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
    assert.deepEqual(findNamed(codes, COUNTRY, 'austri', 'en'), ['AT']);
    assert.deepEqual(findNamed(codes, COUNTRY, 'Österreich', 'de'), ['AT']);
    assert.deepEqual(findNamed(codes, COUNTRY, 'at', 'de'), ['AT']);
    assert.deepEqual(findNamed(codes, COUNTRY, 'none', 'en'), ['(none)']);
    assert.deepEqual(findNamed(['de-AT', 'en'], 'visit:language', 'german', 'en'), ['de-AT']);
  });

  it('where the API is asked, too', () => {
    assert.deepEqual(toSearch(COUNTRY, 'Österreich', 'de'), ['is', COUNTRY, ['AT']]);
    const any = { case_sensitive: false };
    assert.deepEqual(toSearch(COUNTRY, 'nowhere'), ['contains', COUNTRY, ['nowhere'], any]);
    const forms = ['é', '%C3%A9', '%C3%89'];
    assert.deepEqual(toSearch('event:page', 'é'), ['contains', 'event:page', forms, any]);
  });
});

describe('what is typed', () => {
  it('stands for the code of that name, and for nothing if it is nobody’s', () => {
    const typed = (text: string, found: readonly string[]) => findMeant(COUNTRY, text, found, 'en');
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
