import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { EventRow } from '#contract/rows/event-row.ts';
import { IMPROBABLE_VISITORS } from '#domain/identity/improbable-person.ts';
import type { PaymentFilter } from '#domain/money/known-payment.ts';
import type { PaymentReport } from '#domain/money/payment-record.ts';
import type { PaymentLedger } from '#report/payments/sum-payments.ts';
import type { SubjectLedger } from '#report/people/describe-visitor.ts';
import type { PeopleLedger } from '#report/people/people-deps.ts';
import { type CasesOf, type LedgerOfContract, pays, toPlain } from './cases.ts';

type Ledger = LedgerOfContract['ledger'];

const identify = (siteId: string, visitorId: string, at: number, email: string): EventRow => ({
  ...{ site_id: siteId, occurred_at: at, accepted_at: at, event_id: randomUUID() },
  ...{ type: 'identify', visitor_id: visitorId, user_id: '42', props: { email } },
});

const identifyAll = (ledger: Ledger, site: string, visitors: readonly string[], email = '') =>
  ledger.acceptEvents(
    visitors.map((each, index) => ({ row: identify(site, each, index + 1, email) })),
  );

const payAll = (ledger: Ledger, site: string, reports: readonly PaymentReport[]) =>
  Promise.all(reports.map((report) => ledger.acceptPayment(site, report)));

/** Applies what waits to persons. */
const resolve = (ledger: Ledger, site: string) => ledger.findKnownPerson(site, 'v', 'person');

export const ofReport: CasesOf<PeopleLedger & Omit<PaymentLedger, 'findPayment'> & SubjectLedger> =
  {
    findPersonKeys: {
      async 'finds the keys of persons by any of their visitors, on their site alone'(own, site) {
        await identifyAll(own.ledger, site, ['v', 'w'], 'a@shop.example');
        await payAll(own.ledger, site, [pays('tx', { visitorId: 'w', customerId: 'c' })]);
        await resolve(own.ledger, site);
        const asked = ['w', 'lone', 'v', '~1', '~1.5', '~x'];
        const keysById = await own.ledger.findPersonKeys(site, asked);
        for (const id of ['v', 'w']) {
          const keys = keysById.get(id);
          assert.deepEqual(
            { ...keys, visitors: keys?.visitors.toSorted() },
            { visitors: ['v', 'w'], users: ['42'], customers: ['c'], emails: ['a@shop.example'] },
          );
        }
        assert.equal(keysById.get('lone'), undefined);
        const others = await own.ledger.findPersonKeys(await own.addSite(), asked);
        assert.deepEqual([others.get('w'), others.get('~1')?.visitors ?? []], [undefined, []]);
      },
    },
    findLargePersons: {
      async 'finds persons with improbably many visitors'({ ledger, addSite }, site) {
        const many = Array.from({ length: IMPROBABLE_VISITORS }, (_, index) => `v${index}`);
        await identifyAll(ledger, site, many);
        await resolve(ledger, site);
        const [large, ...others] = await ledger.findLargePersons(site);
        assert.deepEqual([large?.visitors.length, others], [IMPROBABLE_VISITORS, []]);
        assert.deepEqual(await ledger.findLargePersons(await addSite()), []);
      },
    },
    findIdentities: {
      async 'finds who visitors said they were, the earliest first, also after a restart'(
        own,
        site,
      ) {
        await identifyAll(own.ledger, site, ['v', 'w'], 'A@Shop.example');
        await own.reopen();
        const of = { userId: '42', email: 'a@shop.example', proof: 'key' };
        const found = await own.ledger.findIdentities(site, ['w', 'v', 'x']);
        assert.deepEqual(found.map(toPlain), [
          { visitorId: 'v', ...of, firstAt: 1, lastAt: 1 },
          { visitorId: 'w', ...of, firstAt: 2, lastAt: 2 },
        ]);
        assert.deepEqual(await own.ledger.findIdentities(await own.addSite(), ['v']), []);
      },
    },
    findPayerNames: {
      async 'finds each name of these payments once'({ ledger, addSite }, site) {
        const names = { t1: 'Anna', t2: 'Ben', t3: 'Anna', t4: 'Cleo' };
        const paid = Object.entries(names).map(([id, name]) => pays(id, { name }));
        await payAll(ledger, site, paid);
        const ids = ['t3', 't2', 't1'];
        assert.deepEqual(await ledger.findPayerNames(site, ids), ['Anna', 'Ben']);
        assert.deepEqual(await ledger.findPayerNames(await addSite(), ids), []);
      },
    },
    searchPersons: {
      async 'finds persons by part of an id, and by name or e-mail address if allowed'(
        own,
        siteId,
      ) {
        const paid = { visitorId: 'v', customerId: 'cus_Abc', email: 'anna@shop.example' };
        await payAll(own.ledger, siteId, [pays('tx', { ...paid, name: 'Ännchen' })]);
        await resolve(own.ledger, siteId);
        const search = (text: string, isPersonal: boolean) =>
          own.ledger.searchPersons({ siteId, text, isPersonal });
        assert.deepEqual(await search('S_AB', false), ['v']);
        assert.deepEqual(await search('anna@', false), []);
        assert.deepEqual(await search('anna@', true), ['v']);
        assert.deepEqual(await search('nchen', true), ['v']);
        const asked = { siteId: await own.addSite(), text: 'anna', isPersonal: true };
        assert.deepEqual(await own.ledger.searchPersons(asked), []);
      },
    },
    listPayments: {
      async 'lists by time of payment in pages, each payment once'({ ledger, addSite }, site) {
        const paid = ['t1', 't2', 't3', 't4'].map((id, index) =>
          pays(id, { paidAt: 10 - Math.floor(index / 2), customerId: id === 't4' ? 'd' : 'c' }),
        );
        for (const each of paid) await ledger.acceptPayment(site, each);
        const idsOf = (page: { readonly transactionId: string }[]) =>
          page.map(({ transactionId }) => transactionId);
        const first = await ledger.listPayments(site, {}, { limit: 3 });
        assert.deepEqual(idsOf([...first]), ['t2', 't1', 't4']);
        const beyond = first.at(-1)?.position;
        const next = await ledger.listPayments(site, {}, { limit: 3, beyond });
        assert.deepEqual(idsOf([...next]), ['t3']);
        const ofC = await ledger.listPayments(site, { customerId: 'c' }, { limit: 9 });
        assert.deepEqual(idsOf([...ofC]), ['t2', 't1', 't3']);
        const early = await ledger.listPayments(site, {}, { limit: 9, paid: { before: 10 } });
        assert.deepEqual(idsOf([...early]), ['t4', 't3']);
        assert.deepEqual(await ledger.listPayments(await addSite(), {}, { limit: 9 }), []);
      },
      async 'finds part of an id, product or address, and those refunded in a time'(own, site) {
        const { ledger } = own;
        await payAll(ledger, site, [
          pays('order-1', { paidAt: 1, product: 'Tea Pot', email: 'anna@shop.example' }),
          pays('order-2', { paidAt: 2, customerId: 'cus_TEA', product: 'Cup' }),
          pays('apart', { refunded: true, originalTransactionId: 'order-1', refundedAt: 50 }),
        ]);
        await ledger.acceptPayment(site, pays('order-2', { refunded: true, refundedAt: 60 }));
        const idsOf = async (filter: PaymentFilter, limit = 9) =>
          (await ledger.listPayments(site, filter, { limit })).map((each) => each.transactionId);
        const search = (text: string, isPersonal = false) =>
          idsOf({ search: { text, isPersonal } });
        assert.deepEqual(await search('tea'), ['order-2', 'order-1']);
        assert.deepEqual(await search('RDER-1'), ['order-1']);
        assert.deepEqual(await search('anna@'), []);
        assert.deepEqual(await search('anna@', true), ['order-1']);
        assert.deepEqual(await idsOf({ product: 'Cup' }), ['order-2']);
        assert.deepEqual(await idsOf({ product: 'Cup', provider: 'stripe' }), []);
        assert.deepEqual(await idsOf({ refunded: { from: 50, before: 60 } }), ['order-1']);
        assert.deepEqual(await idsOf({ refunded: { from: 60 } }), ['order-2']);
        assert.deepEqual(await idsOf({ refunded: {} }, 1), ['order-2']);
      },
      async 'finds the few of many, beyond what is read at once'({ ledger }, site) {
        const many = Array.from({ length: 2_500 }, (_, index) =>
          pays(`t${index}`, { paidAt: 10 + Math.floor(index / 10) }),
        );
        await payAll(ledger, site, many);
        const search = { text: 't1', isPersonal: false };
        const found = await ledger.listPayments(site, { search }, { limit: 5_000 });
        const ids = many.map((each) => each.transactionId).filter((id) => id.includes('t1'));
        assert.deepEqual(new Set(found.map((each) => each.transactionId)), new Set(ids));
        assert.equal(found.length, ids.length);
      },
    },
    sumUncounted: {
      async 'sums refunds without a payment, and voided payments'({ ledger, addSite }, site) {
        const alone = { refunded: true, originalTransactionId: 'unknown', amountMinor: 400n };
        await payAll(ledger, site, [pays('t1'), pays('t2'), pays('re', alone)]);
        await ledger.voidPayment(site, 't2', { by: 'test', at: 2 });
        const sums = await ledger.sumUncounted(site, {}, {});
        assert.deepEqual(sums, [
          {
            ...{ status: 'unmatched_refund', currency: 'EUR', payments: 1n },
            ...{ amountMinor: 400n, refundedMinor: 400n },
          },
          {
            ...{ status: 'voided', currency: 'EUR', payments: 1n },
            ...{ amountMinor: 2999n, refundedMinor: 0n },
          },
        ]);
        assert.deepEqual(await ledger.sumUncounted(await addSite(), {}, {}), []);
      },
    },
    findKnownPerson: {
      async 'finds a visitor alone, or everything of its person and why'(
        { ledger, addSite },
        site,
      ) {
        await identifyAll(ledger, site, ['v', 'w']);
        await payAll(ledger, site, [pays('tx', { visitorId: 'w' }), pays('ty')]);
        const alone = await ledger.findKnownPerson(site, 'v', 'visitor');
        assert.deepEqual([alone.subject.visitors, alone.payments], [['v'], []]);
        const { subject, payments, joins } = await ledger.findKnownPerson(site, 'v', 'person');
        assert.deepEqual(subject.visitors.toSorted(), ['v', 'w']);
        assert.deepEqual(
          payments.map(({ transactionId, amountMinor }) => [transactionId, amountMinor]),
          [['tx', 2999n]],
        );
        assert.ok(joins.some(({ kind, key }) => kind === 'user' && key === '42'));
        const other = await ledger.findKnownPerson(await addSite(), 'v', 'person');
        assert.deepEqual([other.subject.visitors, other.payments], [['v'], []]);
      },
    },
  };
