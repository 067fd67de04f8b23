import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findImprobablePerson, IMPROBABLE_VISITORS } from './improbable-person.ts';

const visitors = (count: number, prefix = 'v') =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
const person = (count: number, keys: object = {}) => ({
  ...{ visitors: visitors(count), users: ['42'], customers: [], emails: [], ...keys },
});

describe('an improbable person', () => {
  it('is the one with the most visitors, from fifty on', () => {
    assert.equal(findImprobablePerson([]), undefined);
    assert.equal(findImprobablePerson([person(IMPROBABLE_VISITORS - 1)]), undefined);
    const found = findImprobablePerson([person(50), person(60, { users: ['all'] })]);
    assert.deepEqual(found, { name: 'all', visitors: 60 });
  });

  it('is named by the id that everybody shares, not by one of their own', () => {
    const keys = { users: visitors(50, 'user'), customers: ['shop'], emails: visitors(2, 'mail') };
    assert.equal(findImprobablePerson([person(50, keys)])?.name, 'shop');
  });

  it('is nobody who came on many days without a cookie', () => {
    const days = visitors(200, 'daily');
    assert.equal(findImprobablePerson([person(0, { visitors: days })]), undefined);
    assert.equal(findImprobablePerson([person(0, { visitors: [...days, 'v'] })]), undefined);
  });
});
