import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findFuzzy, matchFuzzy } from './fuzzy.ts';

const entries = ['Last month', 'Month to date', 'Payments', 'Entry page', 'Page', 'Café'].map(
  (label) => ({ label, group: label === 'Page' ? 'Filter by' : 'Go to' }),
);
const find = (typed: string) => findFuzzy(entries, typed).map(({ label }) => label);

describe('what is typed into the palette', () => {
  it('finds letters in their order, whatever their case', () => {
    assert.notEqual(matchFuzzy('Last month', 'LMO'), undefined);
    assert.equal(matchFuzzy('Last month', 'oml'), undefined);
  });

  it('finds no letters scattered over other words', () => {
    assert.equal(matchFuzzy('Channel: Organic Search', 'linear'), undefined);
    assert.equal(matchFuzzy('Last month', 'stm'), undefined);
    assert.notEqual(matchFuzzy('Last month', 'ont'), undefined);
  });

  it('finds words by how they begin first', () => {
    assert.deepEqual(find('mo').slice(0, 2), ['Month to date', 'Last month']);
    assert.equal(find('lm')[0], 'Last month');
  });

  it('finds what is nothing else first', () => {
    assert.deepEqual(find('page').slice(0, 2), ['Page', 'Entry page']);
  });

  it('finds by the group, behind what is found by its own name', () => {
    assert.deepEqual(find('filter'), ['Page']);
  });

  it('does not mind accents', () => {
    assert.deepEqual(find('cafe'), ['Café']);
  });

  it('finds everything when nothing is typed', () => {
    assert.equal(find(' ').length, entries.length);
  });
});
