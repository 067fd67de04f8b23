import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nameRow } from './names.ts';

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
