import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readMinor } from './amounts.ts';
import { ignored, join, stateLink, statePayment, stateRefund } from './state-facts.ts';

const AMOUNT = readMinor(900, 'EUR');

describe('stating facts', () => {
  const paid = { id: 'p', amount: AMOUNT, paidAt: 1, recurring: false } as const;

  it('leaves out what is not said', () => {
    assert.deepEqual(statePayment({ ...paid, aliases: ['p', 'q', undefined, 'q'], name: ' ' }), {
      kind: 'facts',
      facts: [
        {
          ...{ fact: 'payment', id: 'p', aliases: ['q'], recurring: false, paidAt: 1 },
          amount: { minor: 900n, currency: 'EUR' },
        },
      ],
    });
  });

  it('leaves out texts that no store takes, and shortens long ones', () => {
    const said = { customerId: 'c\0', email: 'no address', name: `${'n'.repeat(300)}\ud800` };
    const stated = statePayment({ ...paid, ...said, subscriptionId: 's'.repeat(256) });
    assert.ok(stated.kind === 'facts' && stated.facts[0]?.fact === 'payment');
    const { customerId, email, name, subscriptionId } = stated.facts[0];
    assert.deepEqual([customerId, email, subscriptionId], [undefined, undefined, undefined]);
    assert.equal(name, 'n'.repeat(255));
  });

  it('writes e-mail addresses in lower case', () => {
    const stated = stateLink({ customerId: 'c', email: 'Anna@Example.com' });
    assert.ok(stated.kind === 'facts' && stated.facts[0]?.fact === 'link');
    assert.equal(stated.facts[0].email, 'anna@example.com');
  });

  it('fails with what is missing', () => {
    const why = (translation: { kind: string; why?: string }) => translation.why ?? '';
    assert.match(why(statePayment({ ...paid, id: undefined })), /no id/);
    assert.match(why(statePayment({ ...paid, amount: readMinor(null, 'EUR') })), /no amount/);
    assert.match(why(statePayment({ ...paid, paidAt: undefined })), /when/);
    const refund = { id: 'r', of: undefined, amount: AMOUNT, at: 1, state: 'done' } as const;
    assert.match(why(stateRefund(refund)), /which payment/);
  });

  it('ignores a link of one thing', () => {
    assert.equal(stateLink({ customerId: 'c' }).kind, 'ignored');
    assert.equal(stateLink({ sameMoney: ['a', 'a'] }).kind, 'ignored');
    assert.equal(stateLink({ sameMoney: ['a', 'b'] }).kind, 'facts');
  });

  it('joins facts, and fails if one of them failed', () => {
    const payment = statePayment(paid);
    const failure = statePayment({ ...paid, id: undefined });
    assert.deepEqual(join(payment, ignored('no')), payment);
    assert.deepEqual(join(payment, failure), failure);
    assert.deepEqual(join(ignored('no')), ignored('no'));
  });
});
