import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonValue } from './json.ts';
import { findAttached, findVisitorId } from './visitor-id.ts';

describe('a visitor id in what a shop attached', () => {
  const cases: readonly [string, JsonValue, string | undefined][] = [
    ['has the name of the cookie', { service_visitor_id: 'v-1' }, 'v-1'],
    ['may have a plainer name', { visitor_id: 'v-1' }, 'v-1'],
    ['may be hidden from buyers', { _service_visitor_id: 'v-1' }, 'v-1'],
    ['is that with the first name', { visitor_id: 'v-2', service_visitor_id: 'v-1' }, 'v-1'],
    ['may be a number', { visitor_id: 7 }, '7'],
    ['may be in a list of names', [{ name: 'visitor_id', value: 'v-1' }], 'v-1'],
    ['may be in a list of keys', [null, { key: 'visitor_id', value: 'v-1' }], 'v-1'],
    ['may be in JSON text', '{"visitor_id":"v-1"}', 'v-1'],
    ['is not in text that is no JSON', '{"visitor_id":', undefined],
    ['is not in lists of anything else', ['visitor_id'], undefined],
    ['is not text that cannot be one', { visitor_id: 'a b' }, undefined],
    ['is not too long', { visitor_id: 'a'.repeat(129) }, undefined],
    ['is not inherited', JSON.parse('{"__proto__":{"visitor_id":"v-1"}}'), undefined],
  ];
  for (const [rule, attached, found] of cases) {
    it(rule, () => assert.equal(findVisitorId(attached), found));
  }

  it('is that of the first place that has one', () => {
    const places = [undefined, null, {}, { visitor_id: 'v-1' }, { visitor_id: 'v-2' }];
    assert.equal(findVisitorId(...places), 'v-1');
  });
});

describe('the site that a shop attached', () => {
  it('is named beside the visitor id, or without one', () => {
    const attached = { site: 'tea.example', service_visitor_id: 'v-1' };
    assert.deepEqual(findAttached(null, attached), { visitorId: 'v-1', site: 'tea.example' });
    const found = findAttached([{ key: 'tributary_site', value: 'tea.example' }]);
    assert.deepEqual(found, { visitorId: undefined, site: 'tea.example' });
  });

  it('is a text, or none', () => {
    for (const site of ['', 7, {}, null, 'x'.repeat(256)]) {
      assert.deepEqual(findAttached({ site }), { visitorId: undefined });
    }
  });
});
