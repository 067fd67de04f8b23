import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import type { PaymentReport } from '#domain/money/payment-record.ts';
import { DAY_MS as DAY } from '#domain/time/durations.ts';
import { beginProvided } from '#ledger/commit/provide-payments.ts';
import { openTrial } from '#ledger/open-ledger.ts';
import { findPayments, LAST_VERSION } from '#ledger/payments/find-payments.ts';
import { projectPayment } from '#ledger/payments/project-payment.ts';
import { imports } from '#ledger/schema/migrations/0018-imports.ts';
import { openDatabase } from '#ledger/schema/open-database.ts';
import type { Database } from '#storage/sql/sql.ts';
import { howMany } from '../worlds/how-many.ts';
import { makeLedgerForEachTest } from './ledger-of-test.ts';

const own = makeLedgerForEachTest();
const SITE = 'site_1';

let db: Database;
/** What the warehouse holds, by kind and id, as versions are shipped. */
let warehouse: Map<string, string>;
let shipped: number;
beforeEach(async () => {
  db = await openDatabase(own.path, { checkpoints: false });
  [warehouse, shipped] = [new Map(), 0];
});
afterEach(() => db.close());

type Report = Partial<PaymentReport>;

const pays = (transactionId: string, facts: Report = {}): PaymentReport => ({
  ...{ transactionId, amountMinor: 1_000n, currency: 'EUR', renewal: false, refunded: false },
  ...{ paidAt: DAY, receivedAt: 2 * DAY, ...facts },
});
const refunds = (id: string, of: string | undefined, facts: Report = {}) =>
  pays(id, { refunded: true, originalTransactionId: of, amountMinor: 400n, ...facts });

const begin = (digest: string) =>
  own.ledger.beginImport({ siteId: SITE, file: 'a.csv', format: 'tributary', digest });

async function importAll(digest: string, ...reports: readonly PaymentReport[]): Promise<string> {
  const id = await begin(digest);
  await own.ledger.acceptImported(id, SITE, reports);
  await own.ledger.finishImport(id);
  return id;
}

const report = (payment: PaymentReport) => own.ledger.acceptPayment(SITE, payment);
const undo = (id: string) => own.ledger.undoImport(id, () => {});

/** Ships what has changed, and lists what counts. */
async function counted(): Promise<string[]> {
  for (const payment of await findPayments(db, { after: shipped, upTo: LAST_VERSION })) {
    shipped = payment.version;
    for (const { kind, transaction_id: id, ...row } of projectPayment(payment)) {
      const { original_transaction_id: of, amount_minor: amount } = row;
      const text = `${kind} ${id}${of === undefined ? '' : ` of ${of}`} ${amount}`;
      if (row.is_deleted === 1) warehouse.delete(`${kind} ${id}`);
      else warehouse.set(`${kind} ${id}`, text);
    }
  }
  return [...warehouse.values()].toSorted();
}

const NONE = { api: 0, provider: 0, import: 0, hand: 0 };

describe('an undone import', () => {
  it('takes back the payments and refunds that it first recorded, and nothing else', async () => {
    await report(pays('before'));
    const before = await counted();
    const id = await importAll(
      ...(['a', pays('before'), pays('p1'), refunds('r1', 'p1')] as const),
      ...[pays('p2'), refunds('p2', undefined, { amountMinor: 1_000n }), refunds('r0', 'before')],
    );
    assert.deepEqual(await counted(), [
      ...['payment before 1000', 'payment p1 1000', 'payment p2 1000'],
      ...['refund p2 of p2 1000', 'refund r0 of before 400', 'refund r1 of p1 400'],
    ]);
    assert.deepEqual(await undo(id), { withdrawn: 4, stay: NONE });
    assert.deepEqual(await counted(), before);
    const listed = await own.ledger.listPayments(SITE, {}, { limit: 10 });
    assert.deepEqual(
      listed.map(({ transactionId, refunds: back }) => [transactionId, back.length]),
      [['before', 0]],
    );
  });

  it('leaves what others have reported since, or changed by hand, and says how many', async () => {
    const ids = ['kept', 'api', 'void', 'correct', 'provider'];
    const id = await importAll('a', ...ids.map((each) => pays(each)));
    await report(pays('api'));
    await own.ledger.voidPayment(SITE, 'void', { by: 'test', at: 1 });
    await own.ledger.correctVisitor(SITE, 'correct', 'v', { by: 'test', at: 1 });
    await db.transaction(async (sql) => {
      const provided = await beginProvided(sql, SITE, ['provider'], 1);
      const stated = { ...pays('provider'), provider: 'stripe', paidAt: DAY, refunds: [] };
      await provided.provide({ ids: ['provider'], before: [], after: [stated] });
      await provided.flush();
    });
    const stay = { ...NONE, api: 1, hand: 2, provider: 1 };
    assert.deepEqual(await undo(id), { withdrawn: 1, stay });
    assert.deepEqual(await counted(), [
      'payment api 1000',
      'payment correct 1000',
      'payment provider 1000',
    ]);
  });

  it('passes what another import has, too, on to that one', async () => {
    const first = await importAll('a', pays('p1'), pays('p2'));
    const second = await importAll('b', pays('p2'));
    const stay = { ...NONE, import: 1 };
    assert.deepEqual(await undo(first), { withdrawn: 1, stay });
    assert.deepEqual(await counted(), ['payment p2 1000']);
    assert.deepEqual(await undo(second), { withdrawn: 1, stay: NONE });
    assert.deepEqual(await counted(), []);
  });

  it('leaves refunds of its payments that others have reported, until the payment is reported', async () => {
    const id = await importAll('a', pays('p1'));
    await report(refunds('r1', 'p1'));
    await undo(id);
    assert.deepEqual(await counted(), []);
    await report(pays('p1'));
    assert.deepEqual(await counted(), ['payment p1 1000', 'refund r1 of p1 400']);
  });

  it('gives refunds that name no payment to another one', async () => {
    const ofAnn = { customerId: 'ann' };
    await report(pays('p0', { ...ofAnn, paidAt: 0 }));
    const id = await importAll('a', pays('p1', ofAnn));
    await report(refunds('r1', undefined, { ...ofAnn, refundedAt: 2 * DAY }));
    const refunded = (await counted()).find((row) => /^refund/.test(row));
    assert.match(`${refunded}`, /^refund r1 of p[01] 400$/);
    await undo(id);
    assert.deepEqual(await counted(), ['payment p0 1000', 'refund r1 of p0 400']);
  });

  it('parts the persons that its payments joined', async () => {
    await report(pays('p1', { visitorId: 'ann', customerId: 'cus' }));
    const id = await importAll('a', pays('p2', { visitorId: 'bob', customerId: 'cus' }));
    assert.deepEqual((await findVisitors('ann')).toSorted(), ['ann', 'bob']);
    await undo(id);
    assert.deepEqual(await findVisitors('ann'), ['ann']);
  });

  it('takes back all payments of a payer together, however far apart', async () => {
    await report(pays('before', { visitorId: 'ann', customerId: 'cus_7' }));
    const payments = Array.from({ length: 1_200 }, (_, index) => {
      const id = `p${String(index).padStart(4, '0')}`;
      return pays(id, { customerId: `cus_${index % 600}`, visitorId: `v${index}` });
    });
    const id = await importAll('a', ...payments);
    assert.deepEqual((await findVisitors('ann')).toSorted(), ['ann', 'v607', 'v7']);
    const progress: number[] = [];
    const undone = await own.ledger.undoImport(id, (withdrawn) => progress.push(withdrawn));
    assert.deepEqual(undone, { withdrawn: 1_200, stay: NONE });
    assert.deepEqual([...new Set(progress)], [1_200]);
    assert.deepEqual(await findVisitors('ann'), ['ann']);
    assert.deepEqual(await counted(), ['payment before 1000']);
  });

  it('is back with the same file', async () => {
    const all = [pays('p1'), refunds('r1', 'p1'), pays('p2')];
    const id = await importAll('a', ...all);
    const before = await counted();
    await undo(id);
    assert.deepEqual(await counted(), []);
    assert.equal(await importAll('a', ...all), id);
    assert.deepEqual(await counted(), before);
    assert.deepEqual(await undo(id), { withdrawn: 3, stay: NONE });
    assert.deepEqual(await counted(), []);
  });

  it('leaves what the ledger had, whatever was in both', async () => {
    const reports = fc.array(
      fc.record({
        ...{ id: fc.constantFrom('a', 'b', 'c', 'd'), of: fc.constantFrom('a', 'b', undefined) },
        ...{ refunded: fc.boolean(), amountMinor: fc.constantFrom(500n, 1_000n) },
        customerId: fc.constantFrom('ann', 'bob', undefined),
      }),
      { maxLength: 6 },
    );
    const toReport = ({ id, of, ...facts }: { id: string; of: string | undefined } & Report) =>
      pays(id, { ...facts, originalTransactionId: facts.refunded ? of : undefined });
    let world = 0;
    await fc.assert(
      fc.asyncProperty(reports, reports, async (before, imported) => {
        world += 1;
        const known = new Set<string>(before.map(({ id }) => id));
        const added = imported.filter(({ id }) => !known.has(id));
        for (const each of before) await report(toReport(each));
        const had = await counted();
        const id = await importAll(`world ${world}`, ...added.map(toReport));
        await undo(id);
        assert.deepEqual(await counted(), had);
        for (const table of ['payments', 'refunds', 'imported_payments']) {
          await db.run(`DELETE FROM ${table}`);
        }
        warehouse.clear();
      }),
      { numRuns: howMany(50) },
    );
  });

  async function findVisitors(visitor: string): Promise<readonly string[]> {
    await own.ledger.findKnownPerson(SITE, visitor, 'person'); // Applies pending facts.
    const keysById = await own.ledger.findPersonKeys(SITE, [visitor]);
    return keysById.get(visitor)?.visitors ?? [];
  }
});

describe('imports', () => {
  it('are listed with what they first recorded, the latest first', async () => {
    await importAll('a', pays('p1'), pays('p2'));
    own.clock += 1;
    await begin('b');
    const listed = (await own.ledger.listImports(SITE)).map((each) => [
      ...[each.transactions, each.finishedAt === undefined],
    ]);
    assert.deepEqual(listed, [
      [0, true],
      [2, false],
    ]);
    assert.deepEqual(await own.ledger.listImports('site_2'), []);
  });

  it('change nothing when repeated, and complete what was interrupted', async () => {
    const id = await begin('a');
    const outcomes = async (...reports: readonly PaymentReport[]) =>
      (await own.ledger.acceptImported(id, SITE, reports)).map((each) => JSON.stringify(each));
    const first = '{"kind":"recorded","isFirst":true}';
    const unchanged = '{"kind":"unchanged"}';
    assert.deepEqual(await outcomes(pays('p1')), [first]);
    assert.equal(await begin('a'), id);
    assert.deepEqual(await outcomes(pays('p1'), pays('p2'), pays('p2')), [
      ...[unchanged, first, unchanged],
    ]);
    assert.deepEqual(await undo(id), { withdrawn: 2, stay: NONE });
  });

  it('can be tried: the outcomes are those of the ledger, and nothing is recorded', async () => {
    await report(pays('p1'));
    await report(refunds('r1', 'p1'));
    const reports = [
      ...[pays('p1'), refunds('r1', 'p1'), refunds('r2', 'p1'), refunds('r3', 'p1')],
      ...[pays('p1', { amountMinor: 1n }), pays('p2'), pays('p2', { customerId: 'ann' })],
    ];
    const trial = await openTrial(own.path);
    const tried = await trial.accept(SITE, reports);
    await trial.close();
    assert.equal((await own.ledger.listPayments(SITE, {}, { limit: 10 })).length, 1);
    assert.deepEqual(await own.ledger.acceptImported(await begin('a'), SITE, reports), tried);
  });

  it('are known to a ledger of version 17 after its change', async () => {
    await db.exec('DROP TABLE imports; DROP TABLE imported_payments');
    await db.transaction((sql) => imports.up(sql));
    const id = await importAll('a', pays('p1'));
    assert.deepEqual(await undo(id), { withdrawn: 1, stay: NONE });
  });
});
