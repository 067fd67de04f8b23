import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createCommitEntries } from '#ledger/commit/commit-entries.ts';
import type { Database } from '#storage/sql/sql.ts';
import {
  CONNECTION,
  connectAnew,
  countedRows,
  SITE,
  statesOf,
  takeAll,
} from '../../providers/inbox-of-test.ts';
import { openInMemory } from '../open-in-memory.ts';

let db: Database;
before(async () => {
  db = await openInMemory();
});
after(() => db.close());
beforeEach(() => connectAnew(db, 'woocommerce'));

/** Connects a second shop. */
const connectSecond = (settings: Readonly<Record<string, string>>) =>
  db.run(
    `INSERT INTO connections (id, site_id, provider, name, secrets, settings, created_at)
     VALUES ('conn_2', ?, 'woocommerce', '', '', ?, 0)`,
    ...[SITE, JSON.stringify(settings)],
  );

/** Tells of the order 107 of a shop. */
async function tell(connectionId: string, total: string, more: object = {}): Promise<void> {
  const body = {
    ...{ id: 107, status: 'completed', currency: 'EUR', total, customer_id: 7 },
    ...{ date_paid_gmt: '2026-11-01T10:00:00', date_modified_gmt: '2026-11-02T10:00:00', ...more },
  };
  const event = {
    ...{ connectionId, eventId: JSON.stringify(body), type: 'order.updated', isTest: false },
    ...{ receivedAt: 0, headers: { 'x-wc-webhook-topic': 'order.updated' } },
    body: JSON.stringify(body),
  };
  await createCommitEntries(db)([{ kind: 'provider_event', event }]);
  await takeAll(db);
}

describe('two shops of a site that number their orders alike', () => {
  it('count both, with refunds and customers of their own, if the ids of one have a prefix', async () => {
    await connectSecond({ id_prefix: '2:' });
    await tell(CONNECTION, '29.00');
    await tell('conn_2', '40.00', { refunds: [{ id: 108, total: '-15.00' }] });
    assert.deepEqual(await countedRows(db), [
      'payment 107 2900 woocommerce',
      'payment 2:107 4000 woocommerce',
      'refund 2:108 1500 woocommerce',
    ]);
    const customers = await db.arrays('SELECT customer_id FROM payments ORDER BY transaction_id');
    assert.deepEqual(customers, [['7'], ['2:7']]);
  });

  it('lose no payment without one: the later one fails, and says what to do', async () => {
    await connectSecond({});
    await tell(CONNECTION, '29.00');
    await tell('conn_2', '40.00');
    assert.deepEqual(await countedRows(db), ['payment 107 2900 woocommerce']);
    const [, state] = await statesOf(db);
    assert.match(
      state ?? '',
      /failed: Payment 107 is another one of connection conn_1\. .*id_prefix/,
    );
  });

  it('are one shop if they report the same money', async () => {
    await connectSecond({});
    await tell(CONNECTION, '29.00');
    await tell('conn_2', '29.00', { refunds: [{ id: 108, total: '-9.00' }] });
    assert.deepEqual(await countedRows(db), [
      'payment 107 2900 woocommerce',
      'refund 108 900 woocommerce',
    ]);
  });
});
