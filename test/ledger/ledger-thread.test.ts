import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openLedger } from '#ledger/open-ledger.ts';
import { readCounter } from '#ledger/schema/counters.ts';
import { openReadOnly } from '#ledger/schema/open-database.ts';
import { waitUntil } from '../server/wait-until.ts';
import { LEDGER_THREAD } from './database-of-tests.ts';
import { makeLedgerForEachTest } from './ledger-of-test.ts';

const own = makeLedgerForEachTest();

const PAYMENTS = 20_000;

it('a payment does not wait until the persons of all payments before it are resolved', async (t) => {
  const pay = (ledger: typeof own.ledger, count: number) =>
    ledger.acceptPayment('site_1', {
      ...{ transactionId: `tx-${count}`, amountMinor: 100n, currency: 'EUR', receivedAt: 1 },
      ...{ renewal: false, refunded: false },
      ...{ email: `${count}@example.com`, visitorId: `v-${count}` },
    });
  await Promise.all(Array.from({ length: PAYMENTS }, (_, count) => pay(own.ledger, count)));

  const server = await openLedger({ location: own.path, thread: LEDGER_THREAD });
  const db = openReadOnly(own.path);
  t.after(() => Promise.all([server.close(), db.close()]));
  const resolved = () => readCounter(db, 'resolved_payments');
  await waitUntil(resolved, (version) => version > 0);
  assert.deepEqual(await pay(server, PAYMENTS), { kind: 'recorded' });
  assert.ok((await resolved()) < PAYMENTS);
});
