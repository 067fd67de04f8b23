import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toCode, toStrength } from './countries.ts';

describe('a country of the map', () => {
  it('has the letters that visits are counted under', () => {
    assert.deepEqual(
      ['276', '840', '004', '826'].map((number) => toCode(number, '')),
      ['DE', 'US', 'AF', 'GB'],
    );
    assert.equal(toCode(undefined, 'Kosovo'), 'XK');
    assert.equal(toCode(undefined, 'N. Cyprus'), undefined);
    assert.equal(toCode('-99', ''), undefined);
  });

  it('is the stronger the more, and visible as soon as there is something', () => {
    assert.equal(toStrength(0, 10), 0);
    assert.equal(toStrength(10, 10), 1);
    assert.ok(toStrength(0.01, 10) >= 0.15);
    assert.ok(toStrength(5, 10) > toStrength(4, 10));
  });
});
