import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { EventRow } from '#contract/rows/event-row.ts';
import { HOUR_MS } from '#domain/time/durations.ts';
import type {
  IngestLedger,
  PaymentChanges,
  SiteDirectory,
  VisitorRequests,
} from '#ingest/ports.ts';
import { openLedger, readQueues } from '#ledger/open-ledger.ts';
import { OUTBOX } from '#storage/shipment-token.ts';
import { type CasesOf, countAtOnce, type LedgerOfContract, MANY, pays, toPlain } from './cases.ts';

/** What ingest needs of a ledger. */
type OfIngest = IngestLedger &
  SiteDirectory &
  VisitorRequests &
  PaymentChanges &
  Pick<LedgerOfContract['ledger'], 'saveDrops' | 'findDrops'>;

const CLAIM = { key: 'k', bodyDigest: 'd', answer: 'first', subject: 'v' };
const OTHER_BODY = { ...CLAIM, bodyDigest: 'e' };
const REPLAYED = { kind: 'replayed', answer: 'first' } as const;
const CONFLICT = { kind: 'idempotency_conflict' } as const;
const BY = { by: 'key_1', at: 7 };

const goal = (siteId: string): EventRow => ({
  ...{ site_id: siteId, occurred_at: 1, accepted_at: 1, event_id: randomUUID() },
  ...{ type: 'goal', visitor_id: 'v' },
});

const identify = (siteId: string, visitorId: string, userId: string, email = ''): EventRow => ({
  ...{ ...goal(siteId), type: 'identify', visitor_id: visitorId, user_id: userId },
  props: { email },
});

/** The number of events in the outbox. */
async function countWaiting({ location }: LedgerOfContract): Promise<number> {
  const queues = await readQueues({ ledger: location, journals: '/nowhere' });
  return queues.get(OUTBOX)?.waiting ?? 0;
}

export const ofIngest: CasesOf<OfIngest> = {
  acceptPayment: {
    async 'records a payment once, also after a restart'(own, site) {
      assert.deepEqual(await own.ledger.acceptPayment(site, pays('tx')), { kind: 'recorded' });
      await own.reopen();
      assert.deepEqual(await own.ledger.acceptPayment(site, pays('tx')), { kind: 'unchanged' });
    },
    async 'records one payment when many identical reports come at once'({ ledger }, site) {
      const kinds = await countAtOnce(() => ledger.acceptPayment(site, pays('tx')));
      assert.deepEqual(kinds, { recorded: 1, unchanged: MANY - 1 });
    },
    async 'lets two sites have the same transaction id'({ ledger, addSite }, site) {
      await ledger.acceptPayment(site, pays('tx'));
      const other = await ledger.acceptPayment(await addSite(), pays('tx', { amountMinor: 1n }));
      assert.deepEqual(other, { kind: 'recorded' });
    },
    async 'refuses what contradicts the record, and not its neighbours'({ ledger }, site) {
      await ledger.acceptPayment(site, pays('tx'));
      const reports = [pays('ty'), pays('tx', { amountMinor: 1n }), pays('tz')];
      const outcomes = await Promise.all(reports.map((each) => ledger.acceptPayment(site, each)));
      const kinds = outcomes.map(({ kind }) => kind);
      assert.deepEqual(kinds, ['recorded', 'transaction_conflict', 'recorded']);
    },
    async 'answers a repeated key as the first time'({ ledger }, site) {
      assert.deepEqual(await ledger.acceptPayment(site, pays('tx'), CLAIM), { kind: 'recorded' });
      const later = { ...CLAIM, answer: 'second' };
      assert.deepEqual(await ledger.acceptPayment(site, pays('tx'), later), REPLAYED);
    },
  },
  acceptEvents: {
    async 'records an event with an id once on its site, also after a restart'(own, site) {
      const before = await countWaiting(own);
      const once = { row: goal(site), onceId: randomUUID() };
      await own.ledger.acceptEvents([once, once]);
      await own.reopen();
      await own.ledger.acceptEvents([once]);
      assert.equal(await countWaiting(own), before + 1);
      await own.ledger.acceptEvents([{ ...once, row: goal(await own.addSite()) }]);
      assert.equal(await countWaiting(own), before + 2);
    },
    async 'records an event without an id each time'(own, site) {
      const before = await countWaiting(own);
      await own.ledger.acceptEvents([{ row: goal(site) }]);
      await own.ledger.acceptEvents([{ row: goal(site) }]);
      assert.equal(await countWaiting(own), before + 2);
    },
    async 'records one of many goals with the same key at once'(own, site) {
      const before = await countWaiting(own);
      const kinds = await countAtOnce(() => own.ledger.acceptEvents([{ row: goal(site) }], CLAIM));
      assert.deepEqual(kinds, { recorded: 1, replayed: MANY - 1 });
      assert.equal(await countWaiting(own), before + 1);
    },
    async 'refuses a key that was used with another body'({ ledger }, site) {
      await ledger.acceptPayment(site, pays('tx'), CLAIM);
      assert.deepEqual(await ledger.acceptEvents([{ row: goal(site) }], OTHER_BODY), CONFLICT);
    },
    async 'refuses a browser that gives a visitor another user id'({ ledger }, site) {
      const of = (userId: string) =>
        ({ row: identify(site, 'v', userId), proof: 'claim' }) as const;
      assert.deepEqual(await ledger.acceptEvents([of('42')]), { kind: 'recorded' });
      const { kind, ...found } = await ledger.acceptEvents([of('43')]);
      assert.deepEqual([kind, found], ['unchanged', { conflicts: [0] }]);
    },
  },
  findAnswer: {
    async 'finds the answer of a key, also after a restart'(own, site) {
      await own.ledger.acceptPayment(site, pays('tx'), CLAIM);
      await own.reopen();
      assert.deepEqual(await own.ledger.findAnswer(site, CLAIM), REPLAYED);
      assert.deepEqual(await own.ledger.findAnswer(site, OTHER_BODY), CONFLICT);
    },
    async 'finds none of another site, and none of a refused report'({ ledger, addSite }, site) {
      await ledger.acceptPayment(site, pays('tx'));
      await ledger.acceptPayment(site, pays('tx', { amountMinor: 1n }), CLAIM);
      assert.equal(await ledger.findAnswer(site, CLAIM), undefined);
      await ledger.acceptPayment(site, pays('ty'), CLAIM);
      assert.equal(await ledger.findAnswer(await addSite(), CLAIM), undefined);
    },
  },
  findSite: {
    async 'finds a site by id, by domain in any case, and by the path of its script'(own, id) {
      const domain = own.ledger.findSite(id)?.domain ?? '';
      for (const name of [domain.toUpperCase(), `www.${domain}`]) {
        assert.equal(own.ledger.findSite(name)?.id, id, name);
      }
      assert.equal(own.ledger.findSite('nowhere.example'), undefined);
    },
  },
  refresh: {
    async 'finds what another process has just added'({ ledger, location }) {
      const other = await openLedger({ location });
      const added = { domain: 'fresh.example', timezone: 'UTC', currency: 'EUR' };
      assert.equal((await other.addSite(added)).ok, true);
      await other.close();
      await ledger.refresh();
      assert.equal(ledger.findSite('fresh.example')?.domain, 'fresh.example');
    },
  },
  requestErasure: {
    async 'keeps the request, also after a restart'(own, site) {
      const { id, ...asked } = await own.ledger.requestErasure(site, 'v', 'person');
      const { siteId, state, counts } = asked;
      assert.deepEqual({ siteId, state, counts }, { siteId: site, state: 'waiting', counts: {} });
      await own.reopen();
      assert.deepEqual(await own.ledger.findErasure(site, id), { id, ...asked });
    },
  },
  findErasure: {
    async 'finds none of another site'({ ledger, addSite }, site) {
      const { id } = await ledger.requestErasure(site, 'v', 'visitor');
      assert.equal((await ledger.findErasure(site, id))?.id, id);
      assert.equal(await ledger.findErasure(await addSite(), id), undefined);
    },
  },
  separateVisitor: {
    async 'undoes the joins of a visitor on its site alone'({ ledger, addSite }, site) {
      const other = await addSite();
      for (const each of [site, other]) {
        const rows = ['a', 'b'].map((visitor) => ({ row: identify(each, visitor, '42') }));
        await ledger.acceptEvents(rows);
      }
      assert.deepEqual(await ledger.separateVisitor(site, 'b'), [{ kind: 'user', key: '42' }]);
      const visitorsOn = async (each: string) =>
        (await ledger.findKnownPerson(each, 'b', 'person')).subject.visitors.length;
      assert.deepEqual([await visitorsOn(site), await visitorsOn(other)], [1, 2]);
    },
  },
  findPayment: {
    async 'finds a payment by its own id and by the id of its refund'(own, site) {
      await own.ledger.acceptPayment(site, pays('tx', { visitorId: 'v' }));
      const refund = { refunded: true, originalTransactionId: 'tx', amountMinor: 999n };
      await own.ledger.acceptPayment(site, pays('re', refund));
      await own.reopen();
      const found = await own.ledger.findPayment(site, 're');
      assert.deepEqual(
        [found?.transactionId, found?.record.statedMinor, found?.visitorIds, found?.status],
        ['tx', 2999n, ['v'], 'partly_refunded'],
      );
      assert.deepEqual(
        found?.refunds.map(({ transactionId, amountMinor }) => [transactionId, amountMinor]),
        [['re', 999n]],
      );
      assert.equal(await own.ledger.findPayment(await own.addSite(), 'tx'), undefined);
    },
  },
  voidPayment: {
    async 'voids a payment once, and says who did'({ ledger, addSite }, site) {
      await ledger.acceptPayment(site, pays('tx'));
      assert.equal((await ledger.voidPayment(await addSite(), 'tx', BY)).ok, false);
      assert.deepEqual(await ledger.voidPayment(site, 'tx', BY), { ok: true, value: null });
      assert.equal((await ledger.voidPayment(site, 'tx', BY)).ok, false);
      const found = await ledger.findPayment(site, 'tx');
      const change = { change: 'void', ...BY, before: undefined, after: undefined };
      assert.deepEqual([found?.status, found?.changes], ['voided', [change]]);
    },
  },
  correctVisitor: {
    async 'replaces the visitor, whatever is reported later'({ ledger, addSite }, site) {
      await ledger.acceptPayment(site, pays('tx', { visitorId: 'v' }));
      assert.equal((await ledger.correctVisitor(await addSite(), 'tx', 'w', BY)).ok, false);
      assert.equal((await ledger.correctVisitor(site, 'tx', 'not an id', BY)).ok, false);
      assert.deepEqual(await ledger.correctVisitor(site, 'tx', 'w', BY), { ok: true, value: null });
      await ledger.acceptPayment(site, pays('tx', { visitorId: 'v' }));
      const found = await ledger.findPayment(site, 'tx');
      const change = { change: 'visitor', ...BY, before: 'v', after: 'w' };
      assert.deepEqual([found?.record.visitorId, found?.changes], ['w', [change]]);
    },
  },
  saveDrops: {
    async 'adds to the counts of an hour'({ ledger }, site) {
      const drop = { siteId: site, reason: 'invalid_event' as const, hourAt: HOUR_MS };
      const sample = { ...drop, type: 'pageview', host: 'a.example', path: '/' };
      await ledger.saveDrops([{ ...drop, count: 2 }], [sample]);
      await ledger.saveDrops([{ ...drop, count: 3 }], []);
      const { counts, samples } = await ledger.findDrops(site, { from: 0, to: 2 * HOUR_MS });
      assert.deepEqual(
        [counts.map(toPlain), samples.map(toPlain)],
        [[{ ...drop, count: 5 }], [sample]],
      );
    },
  },
  findDrops: {
    async 'finds those of a site and of these hours alone, also after a restart'(own, site) {
      const drop = { siteId: site, reason: 'excluded' as const, count: 1 };
      const dropAt = (hourAt: number) => ({ ...drop, hourAt });
      await own.ledger.saveDrops([dropAt(0), dropAt(HOUR_MS), dropAt(2 * HOUR_MS)], []);
      await own.reopen();
      const hours = { from: HOUR_MS, to: 2 * HOUR_MS };
      const { counts } = await own.ledger.findDrops(site, hours);
      assert.deepEqual(counts.map(toPlain), [dropAt(HOUR_MS)]);
      assert.deepEqual((await own.ledger.findDrops(await own.addSite(), hours)).counts, []);
    },
  },
};
