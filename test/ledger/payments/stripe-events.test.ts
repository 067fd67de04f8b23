import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  connectAnew,
  connectForEachTest,
  countedRows,
  deliver,
  statesOf,
  takeAll,
} from '../../providers/inbox-of-test.ts';
import {
  charge,
  chargeObject,
  dayOf,
  dispute,
  event,
  intent,
  invoice,
  invoicePayment,
  oldInvoice,
  refund,
  type StripeEvent,
  session,
} from '../../providers/stripe-world.ts';

const own = connectForEachTest('stripe');

async function tell(...events: readonly StripeEvent[]): Promise<string[]> {
  await deliver(own.db, events);
  await takeAll(own.db);
  return countedRows(own.db);
}

/** A pseudo-random order: the same for the same seed. */
function shuffle<T>(all: readonly T[], seed: number): T[] {
  let state = seed * 2_654_435_761 + 1;
  const next = () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0;
    return state / 2 ** 32;
  };
  return all
    .map((each) => [next(), each] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, each]) => each);
}

const subscription = (status: string, more = {}) =>
  event('customer.subscription.created', dayOf(1), {
    ...{ id: 'sub_2', object: 'subscription', customer: 'cus_2', status, currency: 'eur' },
    ...{ trial_start: dayOf(1), latest_invoice: 'in_t0', metadata: {} },
    ...more,
  });
const ofTrial = { customer: 'cus_2', parent: undefined, subscription: 'sub_2' };

/** A month of a shop: a sale, a trial with its first charge and a renewal, old and new invoices, money given back. */
const WORLD: readonly StripeEvent[] = [
  // A sale, told three times, refunded in part, and once in vain.
  session('sale', dayOf(1), { customer: 'cus_1' }),
  charge('sale', dayOf(1)),
  intent('sale', dayOf(1)),
  refund('part', 'sale', dayOf(2), 900),
  refund('vain', 'sale', dayOf(3), 500),
  refund('vain', 'sale', dayOf(4), 500, 'failed', 'refund.failed'),
  // A subscription since "basil": the first payment through Checkout, then two renewals. One is linked, one is not.
  session('sub', dayOf(5), {
    ...{ mode: 'subscription', payment_intent: null, invoice: 'in_sub', subscription: 'sub_1' },
    customer: 'cus_1',
  }),
  invoice('sub', 'subscription_create', dayOf(5)),
  invoicePayment('sub', dayOf(5)),
  charge('sub', dayOf(5)),
  invoice('r1', 'subscription_cycle', dayOf(12)),
  charge('r1', dayOf(12)),
  invoice('r2', 'subscription_cycle', dayOf(19)),
  charge('r2', dayOf(19, 2)),
  invoicePayment('r2', dayOf(19)),
  // A trial before "basil", its first charge and a renewal. The customer's metadata names the visitor.
  subscription('trialing'),
  event('customer.created', dayOf(1), { id: 'cus_2', metadata: { visitor_id: 'visitor-trial' } }),
  oldInvoice('t0', 'subscription_create', dayOf(1), {
    ...{ amount_paid: 0, total: 0, charge: null, payment_intent: null, ...ofTrial },
  }),
  oldInvoice('t1', 'subscription_cycle', dayOf(8), ofTrial),
  charge('t1', dayOf(8), { customer: 'cus_2', invoice: 'in_t1' }),
  oldInvoice('t2', 'subscription_cycle', dayOf(15), ofTrial),
  charge('t2', dayOf(15), { customer: 'cus_2', invoice: 'in_t2' }),
  // Two disputes: one is won, one is lost.
  charge('won', dayOf(20), { customer: null }),
  dispute('won', 'won', dayOf(21), 'needs_response'),
  dispute('won', 'won', dayOf(24), 'won'),
  charge('lost', dayOf(20), { customer: null }),
  refund('some', 'lost', dayOf(20), 900),
  dispute('lost', 'lost', dayOf(22), 'needs_response'),
  dispute('lost', 'lost', dayOf(25), 'lost'),
  // Old accounts tell only how much was given back in all.
  charge('total', dayOf(26), { customer: null }),
  event(
    'charge.refunded',
    dayOf(27),
    chargeObject('total', dayOf(26), { customer: null, amount_refunded: 1_000 }),
  ),
  event(
    'charge.refunded',
    dayOf(28),
    chargeObject('total', dayOf(26), { customer: null, amount_refunded: 1_500 }),
  ),
];

const LEDGER = [
  'dispute dp_lost 2000 stripe',
  'payment in_t0 0 visitor-trial stripe',
  'payment pi_lost 2900 stripe',
  'payment pi_r1 2900 renewal visitor-sub stripe',
  'payment pi_r2 2900 renewal visitor-sub stripe',
  'payment pi_sale 2900 visitor-sale stripe',
  'payment pi_sub 2900 visitor-sub stripe',
  'payment pi_t1 2900 visitor-trial stripe',
  'payment pi_t2 2900 renewal visitor-trial stripe',
  'payment pi_total 2900 stripe',
  'payment pi_won 2900 stripe',
  'refund pi_total 1500 stripe',
  'refund re_part 900 visitor-sale stripe',
  'refund re_some 900 stripe',
];

/** Events of 2,000 payments, and what they come to. */
function imagineMany() {
  const all: StripeEvent[] = [];
  const sums = { payment: 0, refund: 0, dispute: 0 };
  for (let number = 0; number < 2_000; number += 1) {
    const [n, amount] = [`n${number}`, 1_000 + number];
    const of = { amount, amount_captured: amount, customer: `cus_${number % 700}` };
    all.push(charge(n, dayOf(1, number), of));
    all.push(intent(n, dayOf(1, number), { ...of, amount_received: amount }));
    sums.payment += amount;
    if (number % 4 === 0) {
      all.push(refund(n, n, dayOf(2), 300), refund(`${n}b`, n, dayOf(3), 100));
      sums.refund += 400;
    }
    if (number % 10 !== 1) continue;
    const status = number % 20 === 1 ? 'won' : 'lost';
    all.push(dispute(n, n, dayOf(4), 'needs_response', amount));
    all.push(dispute(n, n, dayOf(5), status, amount));
    if (status === 'lost') sums.dispute += amount;
  }
  return { all, sums };
}

describe('events of Stripe', () => {
  it('become payments, renewals, trials, refunds and disputes', async () => {
    assert.deepEqual(await tell(...WORLD), LEDGER);
    assert.deepEqual(
      (await statesOf(own.db)).filter((state) => !state.endsWith(' done')),
      [],
    );
  });

  it('come to the same ledger in any order, in any batches and repeated', async () => {
    const seeds = Number(process.env.TEST_WORLDS ?? 200);
    for (let seed = 1; seed <= seeds; seed++) {
      await connectAnew(own.db, 'stripe');
      const events = shuffle([...WORLD, ...shuffle(WORLD, seed + 1_000).slice(0, 12)], seed);
      const cut = seed % events.length;
      await deliver(own.db, events.slice(0, cut));
      await takeAll(own.db, 1 + (seed % 7));
      await deliver(own.db, events.slice(cut));
      await takeAll(own.db, 1 + (seed % 5));
      assert.deepEqual(await countedRows(own.db), LEDGER, `seed ${seed}`);
    }
  });

  it('10,000 of them, shuffled and repeated, come to the sums of an oracle', async () => {
    const { all, sums } = imagineMany();
    const told = shuffle([...all, ...all, ...all].slice(0, 10_000), 7);
    for (let from = 0; from < told.length; from += 500) {
      await deliver(own.db, told.slice(from, from + 500));
      if (from % 1_500 === 0) await takeAll(own.db);
    }
    await takeAll(own.db);
    const found = { payment: 0, refund: 0, dispute: 0 };
    for (const row of await countedRows(own.db)) {
      const [kind, , minor] = row.split(' ');
      found[kind as keyof typeof found] += Number(minor);
    }
    assert.deepEqual(found, sums);
  });

  it('are taken by several processes at once, and come to the same ledger', async () => {
    for (const seed of [1, 2, 3]) {
      await connectAnew(own.db, 'stripe');
      await deliver(own.db, shuffle(WORLD, seed));
      await Promise.all([1, 2, 5].map((limit) => takeAll(own.db, limit)));
      assert.deepEqual(await countedRows(own.db), LEDGER);
    }
  });

  it('say how a visitor was found, also when a later one finds the same visitor in a better way', async () => {
    const ways = () =>
      own.db.arrays('SELECT found_by FROM provided_payments ORDER BY transaction_id');
    const again = session('again', dayOf(2), { metadata: { visitor_id: 'visitor-sale' } });
    await tell(session('sale', dayOf(1), { customer: 'cus_1' }), charge('again', dayOf(2)));
    assert.deepEqual(await ways(), [['customer'], ['event']]);
    await tell(again);
    assert.deepEqual(await ways(), [['event'], ['event']]);
  });

  it('of another connected account are left out, where the connection names one', async () => {
    await own.db.run(`UPDATE connections SET settings = '{"account":"acct_1"}'`);
    const charged = { ...charge('own', dayOf(1), { customer: null }), account: 'acct_1' };
    assert.deepEqual(await tell(charged, charge('other', dayOf(1))), [
      'payment pi_own 2900 stripe',
    ]);
    assert.deepEqual(await statesOf(own.db), [
      'charge.succeeded done',
      'charge.succeeded ignored: It is of another account.',
    ]);
  });

  it('are deleted in time; what they state stays', async () => {
    await tell(charge('old', dayOf(1), { customer: null }));
    await own.db.run('DELETE FROM provider_events');
    assert.deepEqual(await tell(refund('x', 'old', dayOf(2), 900)), [
      'payment pi_old 2900 stripe',
      'refund re_x 900 stripe',
    ]);
    assert.deepEqual(await statesOf(own.db), ['refund.created done']);
  });
});
