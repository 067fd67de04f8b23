import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countNoun } from './count-noun.ts';

describe('a counted noun', () => {
  it('is singular after 1 alone, and separates thousands', () => {
    assert.deepEqual(
      [0, 1, 2, 1_200].map((count) => countNoun(count, 'visit')),
      ['0 visits', '1 visit', '2 visits', '1,200 visits'],
    );
  });
});
