import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { EventRow } from '#contract/rows/event-row.ts';
import { packGroup, unpackOutcomes } from '#ledger/commit/group-messages.ts';
import {
  callErasures,
  openLedgerTables,
  openProjection,
  readQueues,
  withLedgerCounts,
} from '#ledger/open-ledger.ts';
import { OUTBOX, parseToken, type SeqRange } from '#storage/shipment-token.ts';
import { isPostgres } from '#storage/sql/sql.ts';
import { NO_RATES } from '../../ledger/rates-of-test.ts';
import { type CasesOf, type LedgerOfContract, pays } from './cases.ts';
import { costs } from './of-costs.ts';

type Ledger = LedgerOfContract['ledger'];
type OfQueues = 'beginShipment' | 'endShipment' | 'setAside' | 'takeRefusedBack' | 'outboxBytes';
type OfProjection = 'saveShipped' | 'saveProjections' | 'countConverting';
type OfThreads = 'registerJournal' | 'makePort' | 'commit' | 'listJobs';

type Projection = Awaited<ReturnType<typeof openProjection>>;

const PAYMENTS = 0;
const EVENTS = 1;
const PERSONS = 2;
const CONVERSIONS = 3;
const COSTS = 4;

const event = (siteId: string, more: Partial<EventRow> = {}): EventRow => ({
  ...{ site_id: siteId, occurred_at: 1, accepted_at: 1, event_id: randomUUID() },
  ...{ type: 'goal', visitor_id: 'v', ...more },
});

/** Runs work with what ships, as the journal's thread does: beside the owner if that is a thread. */
async function withProjection<T>(
  { ledger, location, hasThread }: LedgerOfContract,
  work: (projection: Projection) => Promise<T>,
): Promise<T> {
  const port = hasThread ? await ledger.makePort() : undefined;
  const projection = await openProjection(location, NO_RATES, () => {}, port);
  try {
    return await work(projection);
  } finally {
    await projection.close();
  }
}

const next = async ({ sources }: Projection, source: number) => sources[source]?.nextShipment();

async function shipAll(projection: Projection): Promise<void> {
  for (const source of projection.sources) {
    for (;;) {
      const shipment = await source.nextShipment();
      await shipment?.confirm();
      if (!shipment?.rows) break; // Persons whose facts are not resolved ship later.
    }
  }
}

/** Empties the outbox, and fills it again with batches of one event. Returns their numbers. */
async function fill(own: LedgerOfContract, siteId: string, batches: number): Promise<SeqRange[]> {
  const ranges: SeqRange[] = [];
  await withProjection(own, async (projection) => {
    await shipAll(projection);
    for (let made = 0; made < batches; made++) {
      await own.ledger.acceptEvents([{ row: event(siteId) }]);
    }
    const all = parseToken((await next(projection, EVENTS))?.token ?? '');
    for (let seq = all?.firstSeq ?? 0; seq <= (all?.lastSeq ?? -1); seq++) {
      ranges.push({ firstSeq: seq, lastSeq: seq });
    }
  });
  assert.equal(ranges.length, batches);
  return ranges;
}

async function readOutbox({ location }: LedgerOfContract) {
  const queues = await readQueues({ ledger: location, journals: '/nowhere' });
  const { waiting, damagedBatches, shipped } = queues.get(OUTBOX) ?? {};
  return { waiting, damagedBatches, shipped: shipped ?? 0 };
}

/** The ids of data directories have 48 bits. */
const [ONE_SERVER, OTHER_SERVER] = [2 ** 48 - 1, 2 ** 47 + 1];

/** What the journal, its shipping, and the threads of a server need of a ledger. */
export const ofJournal: CasesOf<Pick<Ledger, OfQueues | OfProjection | OfThreads>> = {
  registerJournal: {
    async 'tells whether there was a journal before, also after a restart'(own) {
      assert.equal(await own.ledger.registerJournal(ONE_SERVER), false);
      await own.reopen();
      assert.equal(await own.ledger.registerJournal(ONE_SERVER), true);
    },
    async 'refuses a database of another server, until that server claims it'(own) {
      await own.ledger.registerJournal(ONE_SERVER);
      if (!isPostgres(own.location)) return; // A file lies in the data directory, and moves with it.
      const other = /belongs to another server, .* another DATA_DIR.* ledger claim"/;
      await assert.rejects(own.ledger.registerJournal(OTHER_SERVER), other);
      assert.equal(await own.ledger.registerJournal(OTHER_SERVER, true), true);
      assert.equal(await own.ledger.registerJournal(OTHER_SERVER), true);
      await assert.rejects(own.ledger.registerJournal(ONE_SERVER), other);
    },
    async 'takes a database of an earlier version, which did not know its server'(own) {
      const { db, close } = await openLedgerTables(own.location);
      await db.run("UPDATE counters SET value = 1 WHERE name = 'journal'");
      await close();
      assert.equal(await own.ledger.registerJournal(OTHER_SERVER), true);
    },
  },
  outboxBytes: {
    async 'grows with each event, and is empty when all are shipped'(own, site) {
      await withProjection(own, shipAll);
      await own.ledger.listJobs(); // After a command, the ledger knows what has changed.
      assert.equal(own.ledger.outboxBytes(), 0);
      await own.ledger.acceptEvents([{ row: event(site) }]);
      await own.ledger.listJobs();
      assert.ok(own.ledger.outboxBytes() > 50);
    },
  },
  beginShipment: {
    async 'fixes the next shipment, which is in doubt after a restart'(own, site) {
      const [first] = await fill(own, site, 2);
      assert.ok(first);
      await own.ledger.beginShipment(first);
      await own.reopen();
      const { token, rows, isInDoubt } = (await withProjection(own, (each) => next(each, 1))) ?? {};
      assert.deepEqual([parseToken(token ?? ''), rows], [{ journal: OUTBOX, ...first }, 1]);
      assert.equal(isInDoubt, true);
    },
  },
  endShipment: {
    async 'deletes its batches and counts their rows'(own, site) {
      const [first] = await fill(own, site, 2);
      assert.ok(first);
      const { shipped } = await readOutbox(own);
      await own.ledger.endShipment(first, 1);
      const after = await readOutbox(own);
      assert.deepEqual([after.waiting, after.shipped], [1, shipped + 1]);
    },
  },
  setAside: {
    async 'keeps a batch apart, once'(own, site) {
      const [first] = await fill(own, site, 1);
      const { damagedBatches = 0 } = await readOutbox(own);
      assert.equal(await own.ledger.setAside(first?.firstSeq ?? 0), 1);
      assert.equal(await own.ledger.setAside(first?.firstSeq ?? 0), 0);
      assert.equal((await readOutbox(own)).damagedBatches, damagedBatches + 1);
      await own.ledger.takeRefusedBack();
    },
  },
  takeRefusedBack: {
    async 'puts back what a warehouse has refused, with its bytes'(own, site) {
      const [first] = await fill(own, site, 1);
      assert.ok(first);
      const bytes = own.ledger.outboxBytes();
      await own.ledger.endShipment(first, undefined);
      const { waiting, damagedBatches = 0 } = await readOutbox(own);
      assert.deepEqual([waiting, damagedBatches], [0, 1]);
      await own.ledger.takeRefusedBack();
      const after = await readOutbox(own);
      assert.deepEqual([after.waiting, after.damagedBatches], [1, 0]);
      assert.ok(own.ledger.outboxBytes() >= bytes);
    },
  },
  saveShipped: {
    async 'keeps how far payments, costs and persons are shipped'(own) {
      await own.ledger.saveShipped('shipped_payments', 7);
      await own.ledger.saveShipped('shipped_costs', 6);
      await own.ledger.saveShipped('shipped_persons', 5);
      await own.reopen();
      const versions = await withLedgerCounts(own.location, ({ payments, costs, ...counts }) =>
        Promise.all([
          ...[payments.shippedVersion(), costs.shippedVersion(), counts.shippedPersonsVersion()],
        ]),
      );
      assert.deepEqual(versions, [7, 6, 5]);
      for (const what of ['shipped_payments', 'shipped_costs', 'shipped_persons'] as const) {
        await own.ledger.saveShipped(what, 0);
      }
    },
  },
  saveProjections: {
    async 'keeps in which currency a site’s rows are, and shows it'(own, id) {
      const { currency = '', timezone = '' } = own.ledger.findSite(id) ?? {};
      const site = { id, currency, timezone, projection: {} };
      await own.ledger.saveProjections([
        [site, { currency: 'USD', timezone, rates: '', place: 1 }],
      ]);
      assert.deepEqual(own.ledger.findSite(id)?.shown, { currency: 'USD', place: 1 });
      await own.reopen();
      assert.deepEqual(own.ledger.findSite(id)?.shown, { currency: 'USD', place: 1 });
    },
  },
  countConverting: {
    async 'adds up how far the sites are'({ ledger, addSite }, id) {
      const before = ledger.countConverting();
      const to = { currency: 'EUR', timezone: 'UTC', rates: '' };
      const place = { scope: 'all', at: 0, id: 0 } as const;
      const walk = { to, ...place, converted: 2, payments: 5 };
      for (const siteId of [id, await addSite()]) {
        const site = { id: siteId, ...to, projection: {} };
        await ledger.saveProjections([[site, { ...to, walk }]]);
      }
      const { converted, payments } = ledger.countConverting();
      assert.deepEqual([converted - before.converted, payments - before.payments], [4, 10]);
    },
  },
  makePort: {
    async 'lets another thread call the commands'({ ledger }, site) {
      const calls = callErasures(await ledger.makePort());
      const { id } = await calls.requestErasure(site, 'v', 'visitor');
      assert.equal((await ledger.findErasure(site, id))?.id, id);
      await assert.rejects(calls.begin('erasure_9', {} as never));
      await calls.finish(id);
      await calls.close();
    },
  },
  commit: {
    async 'records a group, in which each entry sees the ones before it'({ ledger }, siteId) {
      const entry = { kind: 'payment', siteId, report: pays('tx'), claim: undefined } as const;
      const outcomes = unpackOutcomes(await ledger.commit(packGroup([entry, entry])));
      assert.deepEqual(
        outcomes.map(({ kind }) => kind),
        ['recorded', 'unchanged'],
      );
      assert.equal((await ledger.findPayment(siteId, 'tx'))?.record.statedMinor, 2999n);
    },
  },
  listJobs: {
    async 'lists the jobs of the thread that owns it'({ ledger, hasThread }) {
      const names = (await ledger.listJobs()).map(({ name }) => name);
      assert.ok(names.includes(hasThread ? 'persons' : 'ledger_refresh'), `${names}`);
    },
  },
};

/** What ships a ledger to the warehouse. */
export const ofProjection: CasesOf<Projection> = {
  sources: {
    async 'ship a payment until it is confirmed, and again after a change'(own, site) {
      await withProjection(own, async (projection) => {
        await shipAll(projection);
        await own.ledger.acceptPayment(site, pays('tx'));
        const lines = async () => `${(await next(projection, PAYMENTS))?.lines ?? ''}`;
        const row = JSON.parse(await lines());
        assert.deepEqual([row.site_id, row.transaction_id, row.amount_minor], [site, 'tx', '2999']);
        await (await next(projection, PAYMENTS))?.confirm();
        assert.equal(await lines(), '');
        await own.ledger.acceptPayment(site, pays('tx', { customerId: 'c' }));
        assert.match(await lines(), /"customer_id":"c"/);
      });
    },
    async 'ship events with one token until they are confirmed, also after a restart'(own, site) {
      await fill(own, site, 2);
      const token = (await withProjection(own, (each) => next(each, EVENTS)))?.token;
      await own.reopen();
      await withProjection(own, async (projection) => {
        const shipment = await next(projection, EVENTS);
        assert.deepEqual([shipment?.token, shipment?.rows], [token, 2]);
        await shipment?.confirm();
        assert.equal(await next(projection, EVENTS), undefined);
      });
    },
    async 'set aside the one batch of events that the warehouse refuses'(own, site) {
      await fill(own, site, 2);
      await withProjection(own, async (projection) => {
        for (let times = 0; times < 2; times++) {
          await (await next(projection, EVENTS))?.refuse?.(new Error('unreadable'));
        }
        assert.equal((await next(projection, EVENTS))?.rows, 1);
      });
      assert.equal((await readOutbox(own)).damagedBatches, 1);
    },
    async 'ship the rows of persons who have several visitors'(own, site) {
      const of = (visitor: string) =>
        event(site, { type: 'identify', visitor_id: visitor, user_id: '42' });
      await withProjection(own, async (projection) => {
        await shipAll(projection);
        await own.ledger.acceptEvents(['a', 'b'].map((visitor) => ({ row: of(visitor) })));
        await own.ledger.findKnownPerson(site, 'a', 'person');
        const lines = `${(await next(projection, PERSONS))?.lines}`.trimEnd().split('\n');
        const rows = lines.map((line) => JSON.parse(line)).filter((row) => row.site_id === site);
        assert.deepEqual(
          rows.map((row) => [row.kind, row.key, row.person_id]),
          [['visitor', 'b', 'a']],
        );
      });
    },
    async 'ship a cost until it is confirmed, and again after a change'(own, site) {
      await withProjection(own, async (projection) => {
        await shipAll(projection);
        await own.ledger.recordCosts(site, [costs('2026-11-23')], { isWhole: false });
        const row = JSON.parse(`${(await next(projection, COSTS))?.lines}`);
        assert.deepEqual([row.site_id, row.source], [site, 'google']);
        await shipAll(projection);
        assert.equal(await next(projection, COSTS), undefined);
        await own.ledger.removeCosts(site, { importId: 'api' });
        assert.equal((await next(projection, COSTS))?.rows, 1);
      });
    },
    async 'ship payments again when their site has another currency'(own, site) {
      await withProjection(own, async (projection) => {
        await own.ledger.acceptPayment(site, pays('tx'));
        await shipAll(projection);
        assert.equal(await next(projection, CONVERSIONS), undefined);
        await own.ledger.setSite(site, {}, { currency: 'USD' });
        assert.equal((await next(projection, CONVERSIONS))?.rows, 1);
        await shipAll(projection);
        assert.equal(await next(projection, CONVERSIONS), undefined);
      });
    },
  },
  close: {
    async 'leaves the ledger open for others'(own, site) {
      await withProjection(own, async () => {});
      assert.deepEqual(await own.ledger.acceptPayment(site, pays('tx')), { kind: 'recorded' });
    },
  },
};
