import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  connectAnew,
  connectForEachTest,
  countedRows,
  deliver,
  takeAll,
} from '../../providers/inbox-of-test.ts';
import {
  charge,
  dayOf,
  dispute,
  invoice,
  invoicePayment,
  refund,
  type StripeEvent,
  session,
} from '../../providers/stripe-world.ts';

const own = connectForEachTest('stripe');

const choose = (settings: Readonly<Record<string, string>>) =>
  own.db.run('UPDATE connections SET settings = ?', JSON.stringify(settings));

async function tell(...events: readonly StripeEvent[]): Promise<string[]> {
  for (const each of events) {
    await deliver(own.db, [each]);
    await takeAll(own.db);
  }
  return countedRows(own.db);
}

/** A sale of a site: its charge does not name the site. */
const saleOf = (site: string, n: string) => [
  charge(n, dayOf(1), { customer: null }),
  session(n, dayOf(1), { metadata: { site, service_visitor_id: 'ann' } }),
  refund(n, n, dayOf(2), 900),
  dispute(n, n, dayOf(3), 'needs_response', 500),
];

const OF_TEA = [
  'dispute dp_tea 500 ann stripe',
  'payment pi_tea 2900 ann stripe',
  'refund re_tea 900 ann stripe',
];

describe('a connection to an account that several sites share', () => {
  it('counts the payments that name its site, and what is given back of them, in any order', async () => {
    const told = [...saleOf('tea.example', 'tea'), ...saleOf('pots.example', 'pots')];
    for (const events of [told, told.toReversed()]) {
      await connectAnew(own.db, 'stripe');
      await choose({ only_site: 'tea.example' });
      assert.deepEqual(await tell(...events), OF_TEA);
    }
  });

  it('counts none that name no site, and the renewals of a subscription that named it', async () => {
    await choose({ only_site: 'tea.example' });
    const club = { mode: 'subscription', payment_intent: null, invoice: 'in_a', customer: 'cus_1' };
    const counted = await tell(
      charge('none', dayOf(1), { customer: null }),
      session('a', dayOf(1), {
        ...{ ...club, subscription: 'sub_1', metadata: { tributary_site: 'tea.example' } },
      }),
      invoice('a', 'subscription_create', dayOf(1)),
      invoice('b', 'subscription_cycle', dayOf(8)),
      invoicePayment('b', dayOf(8)),
      charge('b', dayOf(8)),
    );
    assert.deepEqual(counted, ['payment in_a 2900 stripe', 'payment pi_b 2900 renewal stripe']);
  });

  it('counts the payments of its products', async () => {
    await choose({ only_products: 'Pot club, Tea club' });
    const other = { data: [{ description: '1 × Coffee club (at €29.00 / month)' }] };
    const counted = await tell(
      invoice('a', 'subscription_create', dayOf(1)),
      invoice('b', 'subscription_create', dayOf(2), { lines: other, parent: undefined }),
    );
    assert.deepEqual(counted, ['payment in_a 2900 stripe']);
  });

  it('goes on with payments that counted before it was asked for a site', async () => {
    const [paid, named, back] = saleOf('pots.example', 'pots');
    assert.ok(paid && named && back);
    await tell(paid);
    await choose({ only_site: 'tea.example' });
    assert.deepEqual(await tell(named, back), [
      'payment pi_pots 2900 ann stripe',
      'refund re_pots 900 ann stripe',
    ]);
  });
});
