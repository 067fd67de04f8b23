import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toShiftRows, toVersus } from './shifts.ts';

const row = (name: string, left: string, right: string) => ({
  dimensions: [name],
  metrics: [
    { value: left, currency: 'EUR' },
    { value: right, currency: 'EUR' },
  ],
});
const RESULTS = [
  row('Unattributed', '500.00', '500.00'),
  row('Search', '100.00', '40.01'),
  row('Email', '0.00', '30.00'),
  row('Direct', '20.00', '49.99'),
];

describe('shifts between two models', () => {
  it('are exact, with their share of the largest one', () => {
    const [search] = toShiftRows(RESULTS);
    assert.equal(search?.shift.value, '-59.99');
    assert.equal(search?.length, -1);
    assert.equal(Math.round(search?.percent ?? 0), -60);
  });

  it('have no percentage where there was nothing', () => {
    const email = toShiftRows(RESULTS).find(({ name }) => name === 'Email');
    assert.equal(email?.percent, null);
    assert.equal(email?.shift.value, '30.00');
  });

  it('are sorted by either model or by how far they moved, with the unattributed last', () => {
    const names = (order: 'left' | 'right' | 'shift') =>
      toShiftRows(RESULTS, order).map(({ name }) => name[0]);
    assert.deepEqual(names('left'), ['S', 'D', 'E', 'U']);
    assert.deepEqual(names('right'), ['D', 'S', 'E', 'U']);
    assert.deepEqual(names('shift'), ['S', 'E', 'D', 'U']);
  });

  it('are none where nothing moves', () => {
    assert.deepEqual(
      toShiftRows([row('Search', '1.00', '1.00')]).map(({ length }) => length),
      [0],
    );
  });
});

describe('the model to compare with', () => {
  it('is last touch, and never the same as the first one', () => {
    assert.equal(toVersus('first_touch', null), 'last_touch');
    assert.equal(toVersus('last_touch', null), 'first_touch');
    assert.equal(toVersus('linear', 'linear'), 'last_touch');
    assert.equal(toVersus('linear', 'time_decay'), 'time_decay');
  });
});
