import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createCommitEntries } from '#ledger/commit/commit-entries.ts';
import { saveEntries } from '#ledger/connections/entry-store.ts';
import { erasePerson, findSubject } from '#ledger/erasure/erase-person.ts';
import { toEntries } from '#providers/history/to-entries.ts';
import { stripe } from '#providers/stripe/stripe.ts';
import type { Database } from '#storage/sql/sql.ts';
import {
  CONNECTION,
  connectAnew,
  countedRows,
  deliver,
  SITE,
  takeAll,
} from '../../providers/inbox-of-test.ts';
import {
  charge,
  chargeObject,
  dayOf,
  event,
  type StripeEvent,
} from '../../providers/stripe-world.ts';
import { openInMemory } from '../open-in-memory.ts';

let db: Database;
before(async () => {
  db = await openInMemory();
});
after(() => db.close());
beforeEach(async () => {
  await connectAnew(db, 'stripe');
  await db.run('DELETE FROM erased_visitors');
});

const ERASED_AT = dayOf(10) * 1_000;
const metadata = { service_visitor_id: 'anna-of-the-tea-shop' };
const customer = { id: 'cus_a', object: 'customer', created: dayOf(1), metadata };
const subscription = {
  ...{
    id: 'sub_a',
    object: 'subscription',
    status: 'active',
    customer: 'cus_a',
    created: dayOf(1),
  },
  metadata,
};

async function tell(...events: readonly StripeEvent[]): Promise<void> {
  await deliver(db, events);
  await takeAll(db);
}

/** Reads objects of a list, as a walk through history does. */
async function read(list: string, ...data: readonly object[]): Promise<void> {
  const place = { list, since: 0, until: 0 };
  const page = stripe.backfill?.read(place, { object: 'list', data } as never);
  const entries = toEntries(list, page?.translations ?? [], undefined);
  await db.transaction((sql) => saveEntries(sql, CONNECTION, entries, { at: 0, isPolled: false }));
  await takeAll(db);
}

async function erase(): Promise<void> {
  const subject = await findSubject(db, SITE, metadata.service_visitor_id, 'visitor');
  await db.transaction((sql) => erasePerson(sql, SITE, subject, ERASED_AT));
}

/** The tables that still name the visitor. */
async function findNaming(): Promise<string[]> {
  const named = [];
  for (const [table, column] of [
    ...[
      ['provider_events', 'body'],
      ['provider_facts', 'facts'],
      ['provider_ids', 'id'],
    ],
    ...[
      ['provided_payments', 'stated'],
      ['payments', 'visitor_id'],
      ['erased_visitors', 'visitor'],
    ],
  ] as const) {
    const rows = await db.all(
      `SELECT 1 FROM ${table} WHERE ${column} LIKE '%anna-of-the-tea-shop%'`,
    );
    if (rows.length > 0) named.push(table);
  }
  return named;
}

describe('an erased visitor', () => {
  const links = [
    event('customer.created', dayOf(1), customer),
    event('customer.subscription.created', dayOf(1), subscription),
  ];

  it('is not brought back by links, delivered or listed again after their events were purged', async () => {
    await tell(...links);
    await read('subscriptions', subscription);
    assert.deepEqual(await findNaming(), ['provider_events', 'provider_facts', 'provider_ids']);
    await erase();
    assert.deepEqual(await findNaming(), []);
    await db.run('DELETE FROM provider_events');
    await tell(...links);
    await read('subscriptions', subscription);
    await read('customers', customer);
    assert.deepEqual(await findNaming(), []);
    await tell(charge('later', dayOf(12), { customer: 'cus_a' }));
    assert.deepEqual(await countedRows(db), ['payment pi_later 2900 stripe']);
  });

  it('is not brought back by earlier payments that were not reported before', async () => {
    await erase();
    await tell(charge('old', dayOf(9), { metadata }));
    await read('charges', chargeObject('older', dayOf(8), { metadata }));
    assert.deepEqual(await findNaming(), []);
    assert.deepEqual(await countedRows(db), [
      'payment pi_old 2900 stripe',
      'payment pi_older 2900 stripe',
    ]);
  });

  it('is there again with a payment made later', async () => {
    await tell(...links);
    await erase();
    await tell(charge('new', dayOf(11), { metadata }));
    assert.deepEqual(await countedRows(db), ['payment pi_new 2900 anna-of-the-tea-shop stripe']);
  });

  it('is in no body of an event, of unknown types and of forms too', async () => {
    await tell(charge('a', dayOf(1)), event('tea.brewed', dayOf(1), { metadata }));
    await createCommitEntries(db)([
      {
        kind: 'provider_event',
        event: {
          ...{ connectionId: CONNECTION, eventId: 'form', type: 'sale', isTest: true, headers: {} },
          ...{ receivedAt: 0, body: 'url_params%5Bv%5D=anna-of-the-tea-shop&price=900' },
        },
      },
    ]);
    await erase();
    assert.deepEqual(await findNaming(), []);
    const kept = await db.all("SELECT event_id FROM provider_events WHERE body <> ''");
    assert.equal(kept.length, 1, 'others stay');
  });
});
