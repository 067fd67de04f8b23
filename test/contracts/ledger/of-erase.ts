import assert from 'node:assert/strict';
import type { ErasureWork } from '#domain/identity/erasure.ts';
import type { Erasures } from '#ingest/erase/ports.ts';
import { withLedgerCounts } from '#ledger/open-ledger.ts';
import { type CasesOf, type LedgerOfContract, pays } from './cases.ts';

const NOBODY = { visitors: ['v'], users: [], customers: [], emails: [], transactions: [] };

/** Requests an erasure of the visitor `v`, which is the next one: each case ends its own. */
async function request({ ledger }: LedgerOfContract, site: string): Promise<ErasureWork> {
  const { id } = await ledger.requestErasure(site, 'v', 'person');
  const next = await ledger.findNext();
  assert.equal(next?.id, id);
  return next as ErasureWork;
}

const countsOf = async ({ ledger }: LedgerOfContract, { siteId, id }: ErasureWork) =>
  (await ledger.findErasure(siteId, id))?.counts;

export const ofErase: CasesOf<Omit<Erasures, 'close'>> = {
  isAnythingDue: {
    async 'tells of a request until it is finished'(own, site) {
      assert.equal(await own.ledger.isAnythingDue(), false);
      const { id } = await request(own, site);
      assert.equal(await own.ledger.isAnythingDue(), true);
      await own.ledger.finish(id);
      assert.equal(await own.ledger.isAnythingDue(), false);
    },
  },
  requestExpiries: {
    async 'requests the erasure of what is past a site’s retention, once a day'(own, site) {
      await own.ledger.setSite(site, { retention: '30d' }, {});
      assert.equal(await own.ledger.isAnythingDue(), true);
      await own.ledger.requestExpiries();
      const next = await own.ledger.findNext();
      assert.equal(next?.siteId, site);
      assert.ok((next?.before ?? 0) < Date.now());
      assert.equal(await own.ledger.findErasure(site, next?.id ?? ''), undefined, 'nobody asked');
      await own.ledger.finish(next?.id ?? '');
      await own.ledger.requestExpiries();
      assert.equal(await own.ledger.findNext(), undefined);
    },
  },
  findNext: {
    async 'finds a started one before older ones, also after a restart'(own, site) {
      const first = await request(own, site);
      const { id } = await own.ledger.requestErasure(site, 'w', 'visitor');
      await own.ledger.begin(id, NOBODY);
      await own.reopen();
      const { person, visitorId, state } = (await own.ledger.findNext()) ?? {};
      assert.deepEqual([person, visitorId, state], [NOBODY, undefined, 'running']);
      for (const each of [id, first.id]) await own.ledger.finish(each);
    },
  },
  findSubject: {
    async 'finds everything that names the person, on its site alone'(own, site) {
      const paid = pays('tx', { visitorId: 'v', customerId: 'c', email: 'a@shop.example' });
      await own.ledger.acceptPayment(site, paid);
      await own.ledger.acceptPayment(await own.addSite(), { ...paid, transactionId: 'ty' });
      const work = await request(own, site);
      assert.deepEqual(await own.ledger.findSubject(work), {
        ...{ visitors: ['v'], users: [], customers: ['c'], emails: ['a@shop.example'] },
        transactions: ['tx'],
      });
      await own.ledger.finish(work.id);
    },
  },
  begin: {
    async 'saves the subject, and how many visitors it has'(own, site) {
      const work = await request(own, site);
      await own.ledger.begin(work.id, NOBODY);
      assert.deepEqual((await own.ledger.findNext())?.person, NOBODY);
      assert.deepEqual(await countsOf(own, work), { visitors: 1 });
      await own.ledger.finish(work.id);
    },
  },
  addCounted: {
    async 'adds batches to those before, and their events to the count'(own, site) {
      const work = await request(own, site);
      await own.ledger.begin(work.id, NOBODY);
      const batches = { journal: 1, lastBatch: 7, blocks: [0] };
      await own.ledger.addCounted(work.id, [{ ...batches, rows: 2 }]);
      const more = { journal: 1, lastBatch: 300, blocks: [0, 1], rows: 3 };
      const all = [{ journal: 1, lastBatch: 300, blocks: [0, 1] }];
      assert.deepEqual(await own.ledger.addCounted(work.id, [more]), all);
      assert.deepEqual((await own.ledger.findNext())?.counted, all);
      assert.deepEqual(await countsOf(own, work), { visitors: 1, events: 5 });
      await own.ledger.finish(work.id);
    },
  },
  erasePerson: {
    async 'takes the person off the payment and keeps its amount, also when repeated'(own, site) {
      await own.ledger.acceptPayment(site, pays('tx', { visitorId: 'v', email: 'a@b.example' }));
      const work = await request(own, site);
      const person = await own.ledger.findSubject(work);
      await own.ledger.begin(work.id, person);
      for (let times = 0; times < 2; times++) await own.ledger.erasePerson(work, person);
      const record = (await own.ledger.findPayment(site, 'tx'))?.record;
      assert.deepEqual(
        [record?.visitorId, record?.email, record?.statedMinor],
        [undefined, undefined, 2999n],
      );
      assert.equal((await countsOf(own, work))?.payments, 1);
      await own.ledger.finish(work.id);
    },
  },
  isShipped: {
    async 'tells whether the warehouse has the last change of each payment'(own, site) {
      await own.ledger.acceptPayment(site, pays('tx'));
      assert.equal(await own.ledger.isShipped(), false);
      const last = await withLedgerCounts(own.location, ({ payments }) => payments.lastVersion());
      await own.ledger.saveShipped('shipped_payments', last ?? 0);
      assert.equal(await own.ledger.isShipped(), true);
    },
  },
  forgetSubject: {
    async 'leaves nothing of the person in the request but counts'(own, site) {
      const work = await request(own, site);
      await own.ledger.begin(work.id, NOBODY);
      await own.ledger.forgetSubject(work.id, { archived_events: 4 });
      const { state, visitorId, person } = (await own.ledger.findNext()) ?? {};
      assert.deepEqual([state, visitorId, person], ['scrubbing', undefined, undefined]);
      assert.deepEqual(await countsOf(own, work), { visitors: 1, archived_events: 4 });
      await own.ledger.finish(work.id);
    },
  },
  scrub: {
    async 'leaves what is recorded as it was'({ ledger }, site) {
      await ledger.acceptPayment(site, pays('tx'));
      await ledger.scrub();
      assert.equal((await ledger.findPayment(site, 'tx'))?.record.statedMinor, 2999n);
    },
  },
  finish: {
    async 'marks the erasure as done, also after a restart'(own, site) {
      const { id } = await request(own, site);
      await own.ledger.finish(id);
      await own.reopen();
      const done = await own.ledger.findErasure(site, id);
      assert.equal(done?.state, 'done');
      assert.ok((done?.doneAt ?? 0) >= (done?.requestedAt ?? 0));
    },
  },
};
