import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  LISTED_STATES,
  PAYMENT_STATES,
  UNATTRIBUTED_STATES,
} from '#contract/payments/payment-list.ts';
import { changedBy, STATE_CHOICES, STATE_FORMS } from './states.ts';

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

describe('a correction of a payment names who made it', () => {
  const cases = [
    ['a member or key by name', { by: 'user_2ef0', by_name: 'Ada Lovelace' }, 'Ada Lovelace'],
    ['a member who left', { by: 'user_2ef0' }, 'a former member'],
    ['a key without a name', { by: 'key_b954' }, 'an unnamed key'],
    ['a command', { by: 'command' }, 'a command on the server'],
  ] as const;
  for (const [rule, change, name] of cases) {
    it(rule, () => assert.equal(changedBy(change), name));
  }
});
