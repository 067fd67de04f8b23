import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  LISTED_STATES,
  PAYMENT_STATES,
  UNATTRIBUTED_STATES,
} from '#contract/payments/payment-list.ts';
import { STATE_CHOICES, STATE_FORMS, toSearches } from './states.ts';

describe('states of payments', () => {
  it('all have words, and those without credit what would mend them', () => {
    assert.deepEqual(Object.keys(STATE_FORMS).toSorted(), [...PAYMENT_STATES].toSorted());
    for (const state of UNATTRIBUTED_STATES) {
      const { remedy, byHand, takesWindow } = STATE_FORMS[state];
      assert.ok(remedy);
      assert.ok(state === 'visit_before_window' ? takesWindow : byHand);
    }
    const choices = STATE_CHOICES.map(({ value }) => value).filter((value) => value !== '');
    assert.deepEqual(choices.toSorted(), [...LISTED_STATES].toSorted());
  });
});

describe('a search for payments', () => {
  it('goes by the e-mail address, or by whatever else has an id', () => {
    assert.deepEqual(toSearches(' a+b@shop.example '), ['email=a%2Bb%40shop.example']);
    assert.equal(toSearches('cus_1').length, 3);
    assert.deepEqual(toSearches(' '), []);
  });
});
