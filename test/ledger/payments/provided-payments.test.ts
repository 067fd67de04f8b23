import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createCommitEntries } from '#ledger/commit/commit-entries.ts';
import { erasePerson, findSubject } from '#ledger/erasure/erase-person.ts';
import { createPaymentList } from '#ledger/payments/list-payments.ts';
import { resolveAll } from '#ledger/persons/resolve-persons.ts';
import {
  connectAnew,
  connectForEachTest,
  countedRows,
  deliver,
  SITE,
  statesOf,
  takeAll,
} from '../../providers/inbox-of-test.ts';
import {
  charge,
  dayOf,
  dispute,
  invoice,
  refund,
  type StripeEvent,
  session,
} from '../../providers/stripe-world.ts';

const own = connectForEachTest('stripe');

type Step = () => Promise<unknown>;

const tell =
  (...events: readonly StripeEvent[]): Step =>
  async () => {
    await deliver(own.db, events);
    await takeAll(own.db);
  };

/** What the shop's own code reports. */
const report =
  (transactionId: string, more: Record<string, unknown> = {}): Step =>
  () =>
    createCommitEntries(own.db)([
      {
        kind: 'payment',
        siteId: SITE,
        report: {
          ...{ transactionId, amountMinor: 2_900n, currency: 'EUR', renewal: false },
          ...{ refunded: false, receivedAt: dayOf(1) * 1_000, ...more },
        },
        claim: undefined,
      },
    ]);

/** Every order of the steps. */
function ordersOf<T>(all: readonly T[]): T[][] {
  if (all.length < 2) return [[...all]];
  return all.flatMap((first, at) => ordersOf(all.toSpliced(at, 1)).map((rest) => [first, ...rest]));
}

async function inAnyOrder(steps: readonly Step[], rows: readonly string[]): Promise<void> {
  for (const order of ordersOf(steps)) {
    await connectAnew(own.db, 'stripe');
    for (const step of order) await step();
    assert.deepEqual(
      await countedRows(own.db),
      rows,
      order.map((step) => steps.indexOf(step)).join(),
    );
  }
}

describe('a payment of a connected provider', () => {
  const sale = charge('a', dayOf(1));

  it('is the payment that the shop reports with the same id, in any order', async () => {
    const steps = [
      tell(sale),
      report('pi_a', { visitorId: 'ann' }),
      tell(refund('x', 'a', dayOf(2), 900)),
    ];
    await inAnyOrder(steps, ['payment pi_a 2900 ann stripe', 'refund re_x 900 ann stripe']);
  });

  it('is the payment that the shop reports with another id of the same money', async () => {
    const checkout = session('a', dayOf(1), { metadata: {} });
    const steps = [
      tell(sale),
      tell(checkout),
      report('cs_a', { visitorId: 'ann', product: 'Tea' }),
    ];
    await inAnyOrder(steps, ['payment pi_a 2900 ann stripe']);
  });

  it('keeps refunds that the shop reports under another id', async () => {
    const taken = { refunded: true, amountMinor: 500n, originalTransactionId: 'ch_a' };
    const steps = [tell(sale), report('own-1', taken)];
    await inAnyOrder(steps, ['payment pi_a 2900 stripe', 'refund own-1 500 stripe']);
  });

  it('counts as its provider states it, where the shop says otherwise', async () => {
    await report('pi_a', { amountMinor: 1_000n, renewal: true })();
    await tell(sale)();
    assert.deepEqual(await countedRows(own.db), ['payment pi_a 2900 stripe']);
    const [outcome] = (await report('pi_a', { amountMinor: 1_000n })()) as { kind: string }[];
    assert.equal(outcome?.kind, 'transaction_conflict');
  });

  it('gives up an id that turned out to be the same money: it is in no list, and counts once', async () => {
    await tell(invoice('a', 'subscription_cycle', dayOf(1)))();
    assert.deepEqual(await countedRows(own.db), ['payment in_a 2900 renewal stripe']);
    await tell(sale)();
    assert.deepEqual(await countedRows(own.db), ['payment pi_a 2900 renewal stripe']);
    const listed = await createPaymentList(own.db).listPayments(SITE, {}, { limit: 10 });
    assert.deepEqual(
      listed.map(({ transactionId, status }) => [transactionId, status]),
      [['pi_a', 'renewal']],
    );
  });

  it('is never given back more than it was', async () => {
    await tell(sale, refund('x', 'a', dayOf(2), 2_000), refund('y', 'a', dayOf(3), 2_000))();
    assert.deepEqual(await countedRows(own.db), [
      'payment pi_a 2900 stripe',
      'refund re_x 2000 stripe',
      'refund re_y 900 stripe',
    ]);
    const states = await statesOf(own.db);
    const note = 'The refunds of payment pi_a are larger than the payment.';
    assert.deepEqual(states[2], `refund.created failed: ${note}`);
  });

  it('hides a refund that failed', async () => {
    await tell(sale, refund('x', 'a', dayOf(2), 900))();
    await tell(refund('x', 'a', dayOf(3), 900, 'failed', 'refund.failed'))();
    const [payment] = await createPaymentList(own.db).listPayments(SITE, {}, { limit: 10 });
    assert.deepEqual([payment?.status, payment?.refunds], ['paid', []]);
  });

  it('is disputed while its bank has a part of it, and no longer once that was won', async () => {
    const statusOf = async () => {
      const [payment] = await createPaymentList(own.db).listPayments(SITE, {}, { limit: 10 });
      return payment?.status;
    };
    await tell(sale, refund('x', 'a', dayOf(2), 900))();
    assert.equal(await statusOf(), 'partly_refunded');
    await tell(dispute('y', 'a', dayOf(3), 'needs_response', 1_000))();
    assert.equal(await statusOf(), 'disputed');
    await tell(dispute('y', 'a', dayOf(4), 'won', 1_000))();
    assert.equal(await statusOf(), 'partly_refunded');
    await tell(dispute('z', 'a', dayOf(5), 'lost', 1_000))();
    assert.equal(await statusOf(), 'disputed');
  });

  it('stays voided, whatever its provider says later', async () => {
    await tell(sale)();
    await own.db.run("UPDATE payments SET voided_at = 1 WHERE transaction_id = 'pi_a'");
    await tell(refund('x', 'a', dayOf(2), 900))();
    assert.deepEqual(await countedRows(own.db), []);
    assert.deepEqual(await statesOf(own.db), ['charge.succeeded done', 'refund.created done']);
  });

  it('loses its person with an erasure for good, and nothing else', async () => {
    await tell(
      session('a', dayOf(1), { customer: 'cus_1' }),
      invoice('b', 'subscription_create', dayOf(2), { customer_email: 'ann@example.com' }),
      charge('b', dayOf(2)),
      sale,
    )();
    await resolveAll(own.db);
    const subject = await findSubject(own.db, SITE, 'visitor-a', 'person');
    await own.db.transaction((sql) => erasePerson(sql, SITE, subject, dayOf(3) * 1_000));
    const money = ['payment pi_a 2900 stripe', 'payment pi_b 2900 stripe'];
    assert.deepEqual(await countedRows(own.db), money);
    await own.db.run(
      "UPDATE provider_events SET state = 'new' WHERE state NOT IN ('erased', 'test')",
    );
    await takeAll(own.db);
    await tell(refund('x', 'b', dayOf(4), 900))();
    assert.deepEqual(await countedRows(own.db), [...money, 'refund re_x 900 stripe']);
    for (const table of [
      'provider_events',
      'provider_facts',
      'provider_ids',
      'provided_payments',
    ]) {
      const text = JSON.stringify(await own.db.all(`SELECT * FROM ${table}`));
      assert.doesNotMatch(text, /visitor-a|cus_1|ann@example/i, table);
    }
  });

  it('waits for nothing: refunds of payments from before the connection count', async () => {
    const steps = [report('pi_old'), tell(refund('x', 'old', dayOf(2), 900))];
    await inAnyOrder(steps, ['payment pi_old 2900', 'refund re_x 900']);
  });
});
