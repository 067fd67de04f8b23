import assert from 'node:assert/strict';
import { it } from 'node:test';
import { DIMENSION_NAMES } from '../catalog.ts';
import { VISIT_VALUES } from './visit-values.ts';

it('a visit of a story is told by every dimension of visits but those of bots', () => {
  const ofVisits = DIMENSION_NAMES.filter((name) => name.startsWith('visit:'));
  const told = VISIT_VALUES.map((name) => `visit:${name}`);
  assert.deepEqual(
    told.toSorted(),
    ofVisits.filter((name) => !name.startsWith('visit:bot')).toSorted(),
  );
});
