import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseFilter } from '../../address/address.ts';
import { isShownFilter } from './tabs.ts';

it('a shared link answers filters by what its panels show', () => {
  const isShown = (text: string) => {
    const filter = parseFilter(text);
    return filter && isShownFilter({ panels: ['figures', 'countries', 'goals'] }, filter);
  };
  assert.equal(isShown('is,visit:country,DE'), true);
  assert.equal(isShown('contains,visit:country_name,Ger'), true);
  assert.equal(isShown('is,event:goal,signup'), true);
  assert.equal(isShown('has_done,event:goal,signup'), false);
  assert.equal(isShown('is,visit:source,Google'), false);
});
