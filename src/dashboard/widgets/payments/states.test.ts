import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  LISTED_STATES,
  PAYMENT_STATES,
  UNATTRIBUTED_STATES,
} from '#contract/payments/payment-list.ts';
import { STATE_CHOICES, STATE_FORMS } from './states.ts';

describe('states of payments', () => {
  it('all have words, and those without credit what would mend them', () => {
    assert.deepEqual(Object.keys(STATE_FORMS).toSorted(), [...PAYMENT_STATES].toSorted());
    for (const state of UNATTRIBUTED_STATES) {
      const { remedy, byHand, takesWindow } = STATE_FORMS[state];
      assert.ok(remedy);
      assert.ok(state === 'visit_before_window' ? takesWindow : byHand);
    }
    const choices = STATE_CHOICES.map(({ value }) => value);
    assert.deepEqual(choices.toSorted(), ['', 'refunds', ...LISTED_STATES].toSorted());
  });
});
