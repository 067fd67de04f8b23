import assert from 'node:assert/strict';
import type { ProvidedPayment } from '#domain/money/provided-payment.ts';
import type { InboxEvent } from '#domain/money/provider-event.ts';
import type { HistoryPage } from '#domain/money/walk.ts';
import type { Connection } from '#domain/site/connection.ts';
import { DAY_MS, HOUR_MS } from '#domain/time/durations.ts';
import { openLedger } from '#ledger/open-ledger.ts';
import type { ConnectionStore, Inbox, WaitingEvents } from '#providers/ports.ts';
import { openTaking } from '../../ledger/ledger-of-test.ts';
import { type CasesOf, type LedgerOfContract, pays } from './cases.ts';

type Ledger = LedgerOfContract['ledger'];
type OfConnections = 'findConnection' | 'hasConnections' | 'noteConnectionError';
type OfWalks = 'listWalks' | 'restartHistory' | 'resumeWalks' | 'holdWalk' | 'saveStep';
type OfObjects = 'releaseWalk' | 'findWanted' | 'saveWanted' | 'listWanting';
type OfEvents = 'acceptProviderEvent' | 'takeEvents' | 'purgeProviderEvents';
type OfProviders = ConnectionStore &
  Inbox &
  Pick<Ledger, OfConnections | OfWalks | OfObjects | OfEvents>;

const connect = ({ ledger }: LedgerOfContract, siteId: string): Promise<Connection> =>
  ledger.addConnection({
    ...{ siteId, provider: 'stripe', name: 'Shop', sealed: 'secret', settings: { mode: 'ä' } },
  });

const eventOf = (connectionId: string, more: Partial<InboxEvent> = {}): InboxEvent => ({
  ...{ connectionId, eventId: 'evt_1', type: 'charge.succeeded', isTest: false },
  ...{ receivedAt: Date.now(), headers: { a: 'ü' }, body: '{}', ...more },
});

const paymentOf = (
  transactionId: string,
  more: Partial<ProvidedPayment> = {},
): ProvidedPayment => ({
  ...{ transactionId, provider: 'stripe', amountMinor: 12_345_678_901n, currency: 'EUR' },
  ...{ paidAt: 5, renewal: false, refunds: [], ...more },
});

const entry = (eventId: string, facts = '[]'): HistoryPage => ({
  entries: [{ eventId: `history ${eventId}`, type: 'history', facts, moneyIds: [] }],
  fault: undefined,
});

/** Runs work on an event of a new connection, which waits alone. */
async function take(
  own: LedgerOfContract,
  siteId: string,
  work: (waiting: WaitingEvents) => Promise<void>,
): Promise<Connection> {
  const connection = await connect(own, siteId);
  await takeOf(own, eventOf(connection.id), work);
  return connection;
}

async function takeOf(
  own: LedgerOfContract,
  event: InboxEvent,
  work: (waiting: WaitingEvents) => Promise<void>,
): Promise<void> {
  await own.ledger.acceptProviderEvent(event);
  const { takeWaiting, close } = await openTaking(own.location, Date.now);
  try {
    const taken = await takeWaiting(10, async (waiting) => {
      await waiting.noteStates([{ eventId: event.eventId, state: 'done' }]);
      await work(waiting);
    });
    assert.equal(taken, 1);
  } finally {
    await close();
  }
}

const sealedOf = ({ sealed, name }: Connection) => [sealed, name];

/** What providers need of a ledger, of connections, events and histories. */
export const ofProviders: CasesOf<OfProviders> = {
  hasConnections: {
    async 'tells whether any site has one'(own, site) {
      assert.equal(own.ledger.hasConnections(), false);
      await connect(own, site);
      assert.equal(own.ledger.hasConnections(), true);
    },
  },
  addConnection: {
    async 'adds a connection that is found at once, and after a restart'(own, site) {
      const added = await connect(own, site);
      const { id, createdAt, ...facts } = added;
      assert.match(id, /^conn_/);
      assert.deepEqual(facts, {
        ...{ siteId: site, provider: 'stripe', name: 'Shop', sealed: 'secret' },
        ...{ settings: { mode: 'ä' }, lastEventAt: undefined },
        ...{ lastError: undefined, lastErrorAt: undefined },
      });
      assert.deepEqual(own.ledger.findConnection(id), added);
      await own.reopen();
      assert.deepEqual(own.ledger.findConnection(id), { ...facts, id, createdAt });
    },
  },
  listConnections: {
    async 'lists those of one site'(own, site) {
      const added = await connect(own, site);
      assert.deepEqual(await own.ledger.listConnections(site), [added]);
      assert.deepEqual(await own.ledger.listConnections(await own.addSite()), []);
    },
  },
  setConnection: {
    async 'changes what is given, and nothing else'(own, site) {
      const { id } = await connect(own, site);
      const changed = await own.ledger.setConnection(id, { name: 'Tea' });
      assert.ok(changed);
      assert.deepEqual(sealedOf(changed), ['secret', 'Tea']);
      assert.deepEqual(own.ledger.findConnection(id), changed);
      assert.equal(await own.ledger.setConnection('conn_9', { name: 'Tea' }), undefined);
    },
  },
  removeConnection: {
    async 'takes it away, and with it what it knew'(own, site) {
      const { id } = await connect(own, site);
      await own.ledger.removeConnection(id);
      assert.equal(own.ledger.findConnection(id), undefined);
      await own.reopen();
      assert.deepEqual(await own.ledger.listConnections(site), []);
      assert.equal(await own.ledger.setConnection(id, { name: 'Tea' }), undefined);
    },
  },
  findConnection: {
    async 'finds none whose site is removed'(own, site) {
      const { id } = await connect(own, site);
      await own.ledger.removeSite(site);
      assert.equal(own.ledger.findConnection(id), undefined);
      assert.equal(own.ledger.findConnection('conn_9'), undefined);
    },
  },
  noteConnectionError: {
    async 'keeps the last error and when it was'(own, site) {
      const { id } = await connect(own, site);
      for (const error of ['first', 'second']) await own.ledger.noteConnectionError(id, error);
      const [found] = await own.ledger.listConnections(site);
      assert.equal(found?.lastError, 'second');
      assert.ok(Date.now() - (found.lastErrorAt ?? 0) < HOUR_MS);
    },
  },
  acceptProviderEvent: {
    async 'keeps an event once for its connection, also after a restart'(own, site) {
      const [one, other] = [await connect(own, site), await connect(own, site)];
      assert.equal(await own.ledger.acceptProviderEvent(eventOf(one.id)), true);
      await own.reopen();
      assert.equal(await own.ledger.acceptProviderEvent(eventOf(one.id)), false);
      assert.equal(await own.ledger.acceptProviderEvent(eventOf(other.id)), true);
      while ((await own.ledger.takeEvents()) > 0);
    },
  },
  takeEvents: {
    async 'takes the events that wait, once'(own, site) {
      const { id } = await connect(own, site);
      await own.ledger.acceptProviderEvent(eventOf(id));
      await own.ledger.acceptProviderEvent(eventOf(id, { eventId: 'evt_2', isTest: true }));
      assert.deepEqual([await own.ledger.takeEvents(), await own.ledger.takeEvents()], [1, 0]);
      assert.notEqual((await own.ledger.findEvent(id, 'evt_1'))?.state, 'new');
      assert.equal((await own.ledger.findEvent(id, 'evt_2'))?.state, 'test');
    },
  },
  findEvent: {
    async 'finds the state of an event of this connection alone'(own, site) {
      const [one, other] = [await take(own, site, async () => {}), await connect(own, site)];
      const done = { state: 'done', error: undefined };
      assert.deepEqual(await own.ledger.findEvent(one.id, 'evt_1'), done);
      assert.equal(await own.ledger.findEvent(other.id, 'evt_1'), undefined);
    },
  },
  findLastEvent: {
    async 'finds the event that arrived last, as it was sent'(own, site) {
      const { id } = await connect(own, site);
      assert.equal(await own.ledger.findLastEvent(id), undefined);
      const last = eventOf(id, { eventId: 'evt_2' });
      for (const each of [eventOf(id), last, eventOf(id, { eventId: 'evt_3', isTest: true })]) {
        await own.ledger.acceptProviderEvent(each);
      }
      assert.deepEqual(await own.ledger.findLastEvent(id), last);
      while ((await own.ledger.takeEvents()) > 0);
    },
  },
  countInbox: {
    async 'counts events by type and state, and payments by how their visitor was found'(
      own,
      site,
    ) {
      const saved = await take(own, site, async (waiting) => {
        await waiting.saveStated([], [{ payment: paymentOf('tx'), foundBy: 'visitor' }], []);
        await waiting.noteStates([{ eventId: 'evt_1', state: 'failed', error: 'why' }]);
      });
      const { events, payments, failed, walks, missed } = await own.ledger.countInbox(saved.id);
      assert.deepEqual(events, [{ type: 'charge.succeeded', state: 'failed', count: 1 }]);
      assert.deepEqual(payments, [{ foundBy: 'visitor', count: 1 }]);
      assert.deepEqual([failed[0]?.eventId, failed[0]?.why], ['evt_1', 'why']);
      assert.deepEqual([walks, missed], [[], 0]);
    },
  },
  countMissed: {
    async 'counts payments that only the poll told of, until a webhook does'(own, site) {
      const { id } = await connect(own, site);
      await own.ledger.resumeWalks(id);
      const inHours = () => Date.now() + 2 * HOUR_MS;
      const later = await openLedger({ location: own.location, now: inHours });
      const held = await later.holdWalk('me', { connectionId: id, kind: 'poll' });
      assert.ok(held);
      await later.saveStep('me', held, entry('1'));
      await later.close();
      const tell = (eventId: string) =>
        takeOf(own, eventOf(id, { eventId }), async (waiting) => {
          await waiting.saveFacts([{ eventId, facts: '[]', ids: ['money tx'] }]);
          await waiting.saveStated([], [{ payment: paymentOf('tx'), foundBy: undefined }], []);
        });
      await tell('history 1');
      assert.equal(await own.ledger.countMissed(id), 1);
      await tell('evt_1');
      assert.equal(await own.ledger.countMissed(id), 0);
    },
  },
  replayEvents: {
    async 'lets events be taken again, of this connection alone'(own, site) {
      const [one, other] = [
        await take(own, site, async () => {}),
        await take(own, site, async () => {}),
      ];
      assert.equal(await own.ledger.replayEvents(one.id, { failed: true }), 0);
      assert.equal(await own.ledger.replayEvents(one.id, { since: Date.now() + HOUR_MS }), 0);
      assert.equal(await own.ledger.replayEvents(one.id, {}), 1);
      assert.equal((await own.ledger.findEvent(one.id, 'evt_1'))?.state, 'new');
      assert.equal((await own.ledger.findEvent(other.id, 'evt_1'))?.state, 'done');
      while ((await own.ledger.takeEvents()) > 0);
    },
  },
  purgeProviderEvents: {
    async 'deletes events that are older than the site keeps them, and no others'(own, site) {
      const old = { eventId: 'evt_0', receivedAt: Date.now() - 100 * DAY_MS };
      const { id } = await take(own, site, async () => {});
      await takeOf(own, eventOf(id, old), async () => {});
      assert.equal(await own.ledger.purgeProviderEvents(), false);
      assert.equal(await own.ledger.findEvent(id, 'evt_0'), undefined);
      assert.equal((await own.ledger.findEvent(id, 'evt_1'))?.state, 'done');
    },
  },
  restartHistory: {
    async 'begins a walk from its first page, whatever came of an earlier one'(own, site) {
      const { id } = await connect(own, site);
      await own.ledger.restartHistory(id, 5);
      const held = await own.ledger.holdWalk('me', { connectionId: id, kind: 'history' });
      assert.ok(held);
      await own.ledger.saveStep('me', { ...held, list: 'charges', pages: 3 }, entry('1'));
      await own.ledger.restartHistory(id, 4);
      const [{ since, list, pages } = held] = await own.ledger.listWalks(id);
      assert.deepEqual([since, list, pages], [4, undefined, 0]);
      while ((await own.ledger.takeEvents()) > 0);
    },
  },
  resumeWalks: {
    async 'begins history and poll, and lets a failed one go on where it was'(own, site) {
      const { id } = await connect(own, site);
      await own.ledger.resumeWalks(id, 5);
      const kinds = (await own.ledger.listWalks(id)).map(({ kind, since }) => [kind, since === 5]);
      assert.deepEqual(kinds, [
        ['history', true],
        ['poll', false],
      ]);
      const held = await own.ledger.holdWalk('me', { connectionId: id, kind: 'history' });
      assert.ok(held);
      const failed = { ...held, list: 'charges', cursor: 'c', error: 'no', dueAt: undefined };
      await own.ledger.saveStep('me', failed, { entries: [], fault: undefined });
      await own.ledger.resumeWalks(id, 9);
      const [found] = await own.ledger.listWalks(id);
      assert.deepEqual([found?.since, found?.cursor, found?.error], [5, 'c', undefined]);
      assert.ok(found?.dueAt);
    },
  },
  listWalks: {
    async 'lists those of a connection as they were saved, also after a restart'(own, site) {
      const { id } = await connect(own, site);
      await own.ledger.restartHistory(id, 5);
      const held = await own.ledger.holdWalk('me', { connectionId: id, kind: 'history' });
      assert.ok(held);
      const saved = { ...held, ...{ list: 'charges', cursor: 'ü', pages: 2, reachedAt: 7 } };
      const step = { ...saved, failures: 1, error: 'e', leftOut: 'l', dueAt: 8, endedAt: 9 };
      await own.ledger.saveStep('me', step, { entries: [], fault: undefined });
      await own.reopen();
      assert.deepEqual(await own.ledger.listWalks(id), [step]);
      assert.deepEqual(await own.ledger.listWalks((await connect(own, site)).id), []);
    },
  },
  holdWalk: {
    async 'is given to one of many at once'(own, site) {
      const { id } = await connect(own, site);
      await own.ledger.restartHistory(id, 5);
      const of = { connectionId: id, kind: 'history' } as const;
      const asked = Array.from({ length: 8 }, (_, index) => own.ledger.holdWalk(`${index}`, of));
      const held = (await Promise.all(asked)).filter((walk) => walk !== undefined);
      assert.deepEqual(
        held.map(({ connectionId, since }) => [connectionId, since]),
        [[id, 5]],
      );
    },
  },
  saveStep: {
    async 'puts the entries of a page into the inbox, but not for who no longer holds it'(
      own,
      site,
    ) {
      const { id } = await connect(own, site);
      await own.ledger.restartHistory(id, 5);
      const held = await own.ledger.holdWalk('me', { connectionId: id, kind: 'history' });
      assert.ok(held);
      assert.equal(await own.ledger.saveStep('you', held, entry('1')), false);
      assert.equal(await own.ledger.findEvent(id, 'history 1'), undefined);
      assert.equal(await own.ledger.saveStep('me', { ...held, pages: 1 }, entry('1')), true);
      assert.equal((await own.ledger.findEvent(id, 'history 1'))?.state, 'new');
      assert.equal((await own.ledger.listWalks(id))[0]?.pages, 1);
      while ((await own.ledger.takeEvents()) > 0);
    },
  },
  releaseWalk: {
    async 'lets another hold it, if it was held'(own, site) {
      const { id } = await connect(own, site);
      await own.ledger.restartHistory(id, 5);
      const of = { connectionId: id, kind: 'history' } as const;
      const held = await own.ledger.holdWalk('me', of);
      assert.ok(held);
      await own.ledger.releaseWalk('you', held);
      assert.equal(await own.ledger.holdWalk('you', of), undefined);
      await own.ledger.releaseWalk('me', held);
      assert.deepEqual(await own.ledger.holdWalk('you', of), held);
    },
  },
  findWanted: {
    async 'finds the objects that events of this connection name'(own, site) {
      const wanted = { list: 'charges', path: '/ch_1' };
      const noted = { eventId: 'evt_1', state: 'failed', error: 'it is not there' } as const;
      const { id } = await take(own, site, (waiting) => waiting.noteStates([{ ...noted, wanted }]));
      assert.deepEqual(await own.ledger.findWanted(id, 10), [{ eventId: 'evt_1', ...wanted }]);
      assert.deepEqual(await own.ledger.findWanted((await connect(own, site)).id, 10), []);
      await own.ledger.saveWanted(id, 'evt_1', 'gone');
    },
  },
  listWanting: {
    async 'lists the connections whose events name objects'(own, site) {
      const noted = { eventId: 'evt_1', state: 'failed' } as const;
      const wanted = { list: 'charges', path: '/ch_1' };
      const { id } = await take(own, site, (waiting) => waiting.noteStates([{ ...noted, wanted }]));
      assert.deepEqual(await own.ledger.listWanting(), [id]);
      await own.ledger.saveWanted(id, 'evt_1', 'gone');
      assert.deepEqual(await own.ledger.listWanting(), []);
    },
  },
  saveWanted: {
    async 'records the object, or why there is none'(own, site) {
      const [list, path] = ['charges', '/ch'];
      const { id } = await connect(own, site);
      for (const eventId of ['evt_1', 'evt_2']) {
        await takeOf(own, eventOf(id, { eventId }), (waiting) =>
          waiting.noteStates([{ eventId, state: 'failed', error: 'x', wanted: { list, path } }]),
        );
      }
      await own.ledger.saveWanted(id, 'evt_1', 'It is gone.');
      const failed = { state: 'failed', error: 'It is gone.' };
      assert.deepEqual(await own.ledger.findEvent(id, 'evt_1'), failed);
      assert.match((await own.ledger.listConnections(site))[0]?.lastError ?? '', /evt_1: It is/);
      await own.ledger.saveWanted(id, 'evt_2', entry('2'));
      assert.deepEqual(await own.ledger.findEvent(id, 'evt_2'), {
        ...{ state: 'done', error: undefined },
      });
      assert.equal((await own.ledger.findEvent(id, 'history 2'))?.state, 'new');
      assert.deepEqual(await own.ledger.findWanted(id, 10), []);
      while ((await own.ledger.takeEvents()) > 0);
    },
  },
};

const toLead = (id: string) => (id.startsWith('money') ? id : undefined);

/** Facts of this event, found by its ids. */
const factsOf = async (waiting: WaitingEvents, ...ids: string[]) =>
  Object.fromEntries(await waiting.findTogether(ids, toLead));

/** What takes events needs of a ledger, in one transaction. */
export const ofWaitingEvents: CasesOf<WaitingEvents> = {
  connection: {
    async 'is that of the events, with its settings'(own, siteId) {
      let found: WaitingEvents['connection'] | undefined;
      const { id } = await take(own, siteId, async ({ connection }) => {
        found = connection;
      });
      assert.deepEqual(found, { id, siteId, provider: 'stripe', settings: { mode: 'ä' } });
    },
  },
  events: {
    async 'are the oldest that wait, of one connection, as they were sent'(own, site) {
      const [one, other] = [await connect(own, site), await connect(own, site)];
      const sent = ['evt_1', 'evt_2'].map((eventId) => eventOf(one.id, { eventId }));
      for (const each of [...sent, eventOf(other.id)]) await own.ledger.acceptProviderEvent(each);
      const { takeWaiting, close } = await openTaking(own.location, Date.now);
      const groups: (readonly InboxEvent[])[] = [];
      for (let times = 0; times < 3; times++) {
        await takeWaiting(10, async ({ events, noteStates }) => {
          groups.push(events);
          await noteStates(events.map(({ eventId }) => ({ eventId, state: 'done' })));
        });
      }
      await close();
      assert.deepEqual(groups[0], sent);
      assert.deepEqual([groups[1]?.[0]?.connectionId, groups.length], [other.id, 2]);
    },
  },
  saveFacts: {
    async 'replaces what an event states'(own, site) {
      await take(own, site, async (waiting) => {
        for (const facts of ['["ä"]', '["b"]']) {
          await waiting.saveFacts([{ eventId: 'evt_1', facts, ids: ['money 1', 'payer 1'] }]);
        }
        assert.deepEqual(await factsOf(waiting, 'money 1'), { evt_1: '["b"]' });
        await waiting.saveFacts([{ eventId: 'evt_1', facts: '[]', ids: [] }]);
        assert.deepEqual(await factsOf(waiting, 'money 1'), {});
      });
    },
  },
  findIds: {
    async 'finds the ids that events of this connection stated before'(own, site) {
      const { id } = await take(own, site, (waiting) =>
        waiting.saveFacts([{ eventId: 'evt_1', facts: '[]', ids: ['money 1', 'payer 1'] }]),
      );
      await takeOf(own, eventOf(id, { eventId: 'evt_2' }), async ({ findIds }) => {
        const ids = await findIds([{ eventId: 'evt_1' }]);
        assert.deepEqual(ids.toSorted(), ['money 1', 'payer 1']);
      });
      await take(own, site, async ({ findIds }) => {
        assert.deepEqual(await findIds([{ eventId: 'evt_1' }]), []);
      });
    },
  },
  findTogether: {
    async 'follows the ids that lead on, and no others'(own, site) {
      await take(own, site, async (waiting) => {
        await waiting.saveFacts([
          { eventId: 'a', facts: '1', ids: ['money 1', 'money 2'] },
          { eventId: 'b', facts: '2', ids: ['money 2', 'payer 1'] },
          { eventId: 'c', facts: '3', ids: ['payer 1'] },
        ]);
        assert.deepEqual(await factsOf(waiting, 'money 1'), { a: '1', b: '2' });
      });
      await take(own, site, async (waiting) => {
        assert.deepEqual(await factsOf(waiting, 'money 1'), {}, 'of another connection');
      });
    },
  },
  findFirst: {
    async 'finds the first ids of a series of this connection, in their order'(own, site) {
      const series = 'charge "s"';
      await take(own, site, async (waiting) => {
        const ids = [`${series} 2 b`, `${series} 1 ä`, `${series} 3 c`, 'charge "s 0" 0 d'];
        await waiting.saveFacts([{ eventId: 'a', facts: '1', ids }]);
        await waiting.saveFacts([{ eventId: 'b', facts: '2', ids: [`${series} 2 b`] }]);
        const first = [`${series} 1 ä`, `${series} 2 b`];
        assert.deepEqual(await waiting.findFirst(series, 2), first);
        const each = await waiting.findEachFirst([series, 'charge "t"']);
        assert.deepEqual(each, [[series, first[0]]]);
      });
      await take(own, site, async (waiting) => {
        assert.deepEqual(await waiting.findFirst(series, 2), []);
      });
    },
  },
  findEachFirst: {
    async 'finds none of a series that nobody has'(own, site) {
      await take(own, site, async (waiting) => {
        assert.deepEqual(await waiting.findEachFirst(['payer customer "ä"']), []);
      });
    },
  },
  findErasedVisitors: {
    async 'finds when visitors of the site were erased'(own, site) {
      await own.ledger.requestErasure(site, 'ä-1', 'visitor');
      const work = await own.ledger.findNext();
      assert.ok(work);
      await own.ledger.begin(work.id, await own.ledger.findSubject(work));
      await own.ledger.erasePerson(work, await own.ledger.findSubject(work));
      await own.ledger.finish(work.id);
      await take(own, site, async ({ findErasedVisitors }) => {
        const found = await findErasedVisitors(['ä-1', 'b']);
        assert.deepEqual([...found], [['ä-1', work.requestedAt]]);
      });
      await take(own, await own.addSite(), async ({ findErasedVisitors }) => {
        assert.equal((await findErasedVisitors(['ä-1'])).size, 0);
      });
    },
  },
  saveStated: {
    async 'replaces what was stated, and lets go what no longer is'(own, site) {
      const changed = paymentOf('tx', { refundedMinor: 12_345_678_901n });
      const { id } = await take(own, site, async (waiting) => {
        const [one, two] = [paymentOf('tx'), paymentOf('ty')];
        const stated = [one, two].map((payment) => ({ payment, foundBy: undefined }));
        await waiting.saveStated([], stated, ['tx', 'ty']);
        await waiting.saveStated(['ty'], [{ payment: changed, foundBy: 'email' }], ['tx']);
      });
      await takeOf(own, eventOf(id, { eventId: 'evt_2' }), async ({ findStated }) => {
        const found = await findStated(['tx', 'ty']);
        assert.deepEqual(found, [{ payment: changed, foundBy: 'email', connectionId: id }]);
      });
    },
  },
  findStated: {
    async 'finds payments to the last cent, and how their visitor was found, on this site alone'(
      own,
      site,
    ) {
      const stated = { payment: paymentOf('tx'), foundBy: 'order' };
      const { id } = await take(own, site, (waiting) => waiting.saveStated([], [stated], []));
      await takeOf(own, eventOf(id, { eventId: 'evt_2' }), async ({ findStated }) => {
        assert.deepEqual(await findStated(['tx']), [{ ...stated, connectionId: id }]);
      });
      await take(own, await own.addSite(), async ({ findStated }) => {
        assert.deepEqual(await findStated(['tx']), []);
      });
    },
  },
  findOwnIds: {
    async 'finds a payment by what else it is called, on this site alone'(own, site) {
      const stated = [{ payment: paymentOf('tx'), foundBy: undefined }];
      await take(own, site, async ({ saveStated, findOwnIds }) => {
        await saveStated([], stated, ['tx', 'pi_1']);
        assert.deepEqual([...(await findOwnIds(['pi_1', 'tx', 'x']))], [['pi_1', 'tx']]);
      });
      await take(own, await own.addSite(), async ({ findOwnIds }) => {
        assert.deepEqual([...(await findOwnIds(['pi_1']))], []);
      });
    },
  },
  findElsewhere: {
    async 'finds what another connection of the site states of the same money'(own, site) {
      const stated = { payment: paymentOf('tx'), foundBy: 'email' };
      const { id } = await take(own, site, async (waiting) => {
        await waiting.saveStated([], [stated], ['tx', 'pi_1']);
        assert.deepEqual([...(await waiting.findElsewhere(['tx']))], [], 'it is its own');
      });
      await take(own, site, async ({ findElsewhere }) => {
        const found = [...(await findElsewhere(['pi_1', 'x']))];
        assert.deepEqual(found, [['pi_1', { ...stated, connectionId: id }]]);
      });
      await take(own, await own.addSite(), async ({ findElsewhere }) => {
        assert.deepEqual([...(await findElsewhere(['tx']))], []);
      });
    },
  },
  findOthersWith: {
    async 'finds the other connections of the site that have facts of these ids'(own, site) {
      const { id: connectionId } = await take(own, site, async (waiting) => {
        await waiting.saveFacts([{ eventId: 'evt_1', facts: '[]', ids: ['money 1'] }]);
        assert.deepEqual(await waiting.findOthersWith(['money 1']), []);
      });
      await take(own, site, async ({ findOthersWith }) => {
        const found = await findOthersWith(['money 1', 'money 2']);
        assert.deepEqual(found, [{ connectionId, id: 'money 1' }]);
      });
      await take(own, await own.addSite(), async ({ findOthersWith }) => {
        assert.deepEqual(await findOthersWith(['money 1']), []);
      });
    },
  },
  tell: {
    async 'puts entries into the inbox of another connection'(own, site) {
      const { id } = await connect(own, site);
      await take(own, site, ({ tell }) => tell(id, entry('1').entries));
      assert.equal((await own.ledger.findEvent(id, 'history 1'))?.state, 'new');
      while ((await own.ledger.takeEvents()) > 0);
    },
  },
  beginProvided: {
    async 'records payments with what is taken, or nothing of both'(own, site) {
      const provide = async (waiting: WaitingEvents, id: string) => {
        const provided = await waiting.beginProvided([id]);
        const group = { ids: [id], before: [], after: [paymentOf(id)] };
        assert.deepEqual(await provided.provide(group), []);
        await provided.flush();
      };
      await take(own, site, (waiting) => provide(waiting, 't1'));
      const { record } = (await own.ledger.findPayment(site, 't1')) ?? {};
      assert.deepEqual([record?.statedMinor, record?.provider], [12_345_678_901n, 'stripe']);
      const broken = take(own, site, async (waiting) => {
        await provide(waiting, 't2');
        throw new Error('broken');
      });
      await assert.rejects(broken, /broken/);
      assert.equal(await own.ledger.findPayment(site, 't2'), undefined);
      while ((await own.ledger.takeEvents()) > 0);
    },
  },
  noteStates: {
    async 'notes states, and the last failure at the connection'(own, site) {
      const { id } = await take(own, site, (waiting) =>
        waiting.noteStates([{ eventId: 'evt_1', state: 'failed', error: 'why' }]),
      );
      const failed = { state: 'failed', error: 'why' };
      assert.deepEqual(await own.ledger.findEvent(id, 'evt_1'), failed);
      assert.equal((await own.ledger.listConnections(site))[0]?.lastError, 'Event evt_1: why');
    },
  },
};

/** What records payments that a provider states. */
export const ofProvidePayments: CasesOf<Awaited<ReturnType<WaitingEvents['beginProvided']>>> = {
  provide: {
    async 'refuses what contradicts the payment on record, in a sentence'(own, site) {
      await own.ledger.acceptPayment(site, pays('tx', { currency: 'USD' }));
      await take(own, site, async (waiting) => {
        const { provide, flush } = await waiting.beginProvided(['tx']);
        const faults = await provide({ ids: ['tx'], before: [], after: [paymentOf('tx')] });
        assert.match(faults.join(), /USD/);
        await flush();
      });
      assert.equal((await own.ledger.findPayment(site, 'tx'))?.record.currency, 'USD');
    },
  },
  flush: {
    async 'writes what has changed, and nothing else'(own, site) {
      await own.ledger.acceptPayment(site, pays('tx'));
      const before = await own.ledger.findPayment(site, 'tx');
      await take(own, site, async (waiting) => {
        await (await waiting.beginProvided(['tx'])).flush();
      });
      assert.deepEqual(await own.ledger.findPayment(site, 'tx'), before);
    },
  },
};
