import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { measureBy, parseChoice, writeChoice } from './choice.ts';
import { PANELS, type PanelPlan } from './tabs.ts';

const [channels, pages] = PANELS as readonly [PanelPlan, PanelPlan];

describe('how a panel is set', () => {
  it('is the first tab by revenue where the address says nothing', () => {
    const { tab, ...rest } = parseChoice(channels, []);
    assert.equal(tab.id, 'channels');
    assert.deepEqual(rest, { measure: 'revenue', sort: 'revenue', direction: 'desc' });
    assert.deepEqual(writeChoice(channels, parseChoice(channels, []), []), []);
  });

  it('is read from its own text, not from other panels’', () => {
    const texts = ['entry', 'sources,conversions,visitors,asc'];
    assert.equal(parseChoice(pages, texts).tab.id, 'entry');
    const choice = parseChoice(channels, texts);
    assert.equal(choice.tab.id, 'sources');
    assert.deepEqual(
      [choice.measure, choice.sort, choice.direction],
      ['conversions', 'visitors', 'asc'],
    );
    assert.deepEqual(writeChoice(channels, choice, texts), texts);
  });

  it('takes what is broken as missing', () => {
    const choice = parseChoice(channels, ['sources,toString,nothing,up']);
    assert.deepEqual(
      [choice.measure, choice.sort, choice.direction],
      ['revenue', 'revenue', 'desc'],
    );
  });

  it('takes a measure with its own order', () => {
    const sorted = { ...parseChoice(channels, []), sort: 'visitors' };
    assert.equal(measureBy(sorted, 'conversions').sort, 'conversions');
    assert.deepEqual(writeChoice(channels, measureBy(sorted, 'conversions'), []), [
      'channels,conversions',
    ]);
  });
});
