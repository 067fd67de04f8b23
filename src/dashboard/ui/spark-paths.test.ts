import assert from 'node:assert/strict';
import { it } from 'node:test';
import { toSparkPaths } from './spark-paths.ts';

it('a sparkline is dotted to a last value that is still growing', () => {
  assert.deepEqual(toSparkPaths([10, 5, 0], true), {
    solid: 'M0,2L120,28',
    dotted: 'M120,28L240,54',
  });
  assert.deepEqual(toSparkPaths([10, 5, 0], false), {
    solid: 'M0,2L120,28L240,54',
    dotted: '',
  });
  assert.deepEqual(toSparkPaths([], true), { solid: '', dotted: '' });
});
