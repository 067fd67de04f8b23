import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createCommitEntries } from '#ledger/commit/commit-entries.ts';
import { erasePerson, findSubject } from '#ledger/erasure/erase-person.ts';
import type { Database } from '#storage/sql/sql.ts';
import { connectAnew, countedRows, SITE, takeAll } from '../../providers/inbox-of-test.ts';
import { charge, dayOf, dispute, refund, type StripeEvent } from '../../providers/stripe-world.ts';
import { openInMemory } from '../open-in-memory.ts';

let db: Database;
before(async () => {
  db = await openInMemory();
});
after(() => db.close());
beforeEach(() => connectShop('woocommerce'));

/** Connects Stripe and a shop to the same site. */
async function connectShop(provider: string): Promise<void> {
  await connectAnew(db, 'stripe');
  await db.run(
    `INSERT INTO connections (id, site_id, provider, name, secrets, settings, created_at)
     VALUES ('conn_shop', ?, ?, '', '', '{}', 0)`,
    ...[SITE, provider],
  );
}

type Told = {
  readonly connectionId: string;
  readonly eventId: string;
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
};

const ofStripe = (event: StripeEvent): Told => ({
  ...{ connectionId: 'conn_1', eventId: event.id, type: event.type, headers: {}, body: event },
});

function ofShop(eventId: string, header: string, type: string, body: object): Told {
  return { connectionId: 'conn_shop', eventId, type, headers: { [header]: type }, body };
}

const paidAt = new Date(dayOf(1) * 1_000).toISOString().slice(0, 19);

/** An order of WooCommerce over 29.00 euros. */
const order = (id: number, transactionId: string, more: object = {}) =>
  ofShop(`woo ${id} ${JSON.stringify(more)}`, 'x-wc-webhook-topic', 'order.updated', {
    ...{ id, status: 'completed', currency: 'EUR', total: '29.00', date_paid_gmt: paidAt },
    ...{ transaction_id: transactionId, customer_id: 0, line_items: [{ name: 'Tea pot' }] },
    ...{ billing: { email: `buyer${id}@example.com` }, refunds: [], ...more },
  });
const visitor = (value: string) => ({ meta_data: [{ key: 'service_visitor_id', value }] });

async function deliver(told: readonly Told[]): Promise<void> {
  await createCommitEntries(db)(
    told.map(({ body, ...event }) => ({
      kind: 'provider_event' as const,
      event: { ...event, isTest: false, receivedAt: 0, body: JSON.stringify(body) },
    })),
  );
}

/** Every order of a few things. */
function ordersOf<T>(things: readonly T[]): T[][] {
  if (things.length < 2) return [[...things]];
  return things.flatMap((thing, index) =>
    ordersOf(things.toSpliced(index, 1)).map((others) => [thing, ...others]),
  );
}

describe('a payment that a shop and its gateway report', () => {
  it('counts once, with the gateway’s refunds and the shop’s visitor, in any order', async () => {
    const told = [
      ofStripe(charge('anna1', dayOf(1), { customer: null })),
      ofStripe(refund('a', 'anna1', dayOf(2), 900)),
      order(101, 'ch_anna1', visitor('anna')),
      order(101, 'ch_anna1', { ...visitor('anna'), refunds: [{ id: 900, total: '-9.00' }] }),
    ];
    for (const events of ordersOf(told)) {
      await connectShop('woocommerce');
      for (const event of [...events, ...events]) {
        await deliver([event]);
        await takeAll(db, 1);
      }
      assert.deepEqual(
        await countedRows(db),
        ['payment pi_anna1 2900 anna stripe', 'refund re_a 900 anna stripe'],
        events.map(({ eventId }) => eventId).join(', '),
      );
    }
  });

  it('counts once when all of it comes together, beside orders that another way paid', async () => {
    await deliver([
      order(101, 'pi_anna1', visitor('anna')),
      order(102, 'ch_ben01', visitor('ben')),
      order(103, '', visitor('cora')),
      order(104, '5TY05013RG002845M', visitor('dora')),
      ofStripe(charge('anna1', dayOf(1), { customer: null })),
      ofStripe(charge('ben01', dayOf(1), { customer: null })),
      ofStripe(dispute('b', 'ben01', dayOf(3), 'needs_response')),
    ]);
    await takeAll(db);
    assert.deepEqual(await countedRows(db), [
      'dispute dp_b 2900 ben stripe',
      'payment 103 2900 cora woocommerce',
      'payment 104 2900 dora woocommerce',
      'payment pi_anna1 2900 anna stripe',
      'payment pi_ben01 2900 ben stripe',
    ]);
  });

  it('is known by the number of its order, too, and has the shop’s product', async () => {
    await deliver([order(101, 'ch_anna1'), ofStripe(charge('anna1', dayOf(1)))]);
    await takeAll(db);
    const [row] = await db.all('SELECT transaction_id FROM provided_ids WHERE id = ?', '101');
    assert.equal(row?.transaction_id, 'pi_anna1');
    const [payment] = await db.all("SELECT * FROM payments WHERE transaction_id = 'pi_anna1'");
    assert.equal(payment?.product, 'Tea pot');
  });

  it('is linked by the transaction that Shopify names', async () => {
    await connectShop('shopify');
    const shopify = (type: string, body: object) =>
      ofShop(`shopify ${type}`, 'x-shopify-topic', type, body);
    await deliver([
      shopify('orders/paid', {
        ...{ id: 5_001, financial_status: 'paid', total_price: '29.00', currency: 'EUR' },
        ...{ processed_at: `${paidAt}Z` },
        note_attributes: [{ name: 'service_visitor_id', value: 'anna' }],
      }),
      ofStripe(charge('anna1', dayOf(1), { customer: null })),
    ]);
    await takeAll(db);
    assert.equal((await countedRows(db)).length, 2, 'as long as nothing links them');
    await deliver([
      shopify('order_transactions/create', {
        ...{ id: 7, order_id: 5_001, kind: 'sale', status: 'success', authorization: 'ch_anna1' },
      }),
    ]);
    await takeAll(db);
    assert.deepEqual(await countedRows(db), ['payment pi_anna1 2900 anna stripe']);
  });

  it('is not that of another site, nor one with the same number', async () => {
    await db.run("UPDATE connections SET site_id = 'site_2' WHERE id = 'conn_shop'");
    await deliver([order(101, 'ch_anna1'), ofStripe(charge('anna1', dayOf(1)))]);
    await takeAll(db);
    assert.equal((await countedRows(db)).length, 2);
  });

  it('is erased with its person, whom the shop does not bring back', async () => {
    await deliver([order(101, 'ch_anna1', visitor('anna')), ofStripe(charge('anna1', dayOf(1)))]);
    await takeAll(db);
    const subject = await findSubject(db, SITE, 'anna', 'visitor');
    await db.transaction((sql) => erasePerson(sql, SITE, subject, 1));
    await deliver([order(101, 'ch_anna1', { ...visitor('anna'), status: 'refunded' })]);
    await takeAll(db);
    assert.deepEqual(await countedRows(db), ['payment pi_anna1 2900 stripe']);
  });
});
