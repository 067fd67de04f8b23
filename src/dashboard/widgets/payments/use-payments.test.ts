import assert from 'node:assert/strict';
import { it } from 'node:test';
import { toPaymentFilters } from './use-payments.ts';

it('payments are filtered by a source, channel, product and provider; other filters are named', () => {
  const is = (dimension: string, ...values: string[]) =>
    ({ operator: 'is', dimension, values }) as const;
  const source = is('visit:source', 'Google');
  const others = [
    is('visit:source', 'Bing'),
    is('visit:channel', 'Direct', 'Email'),
    is('visit:country', 'DE'),
    is('payment:product', '(none)'),
    { ...is('payment:provider', 'stripe'), operator: 'is_not' } as const,
  ];
  assert.deepEqual(toPaymentFilters([source, ...others, is('payment:product', 'Pro')]), {
    params: { source: 'Google', product: 'Pro' },
    ignored: others,
  });
});
