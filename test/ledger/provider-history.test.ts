import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { ProvidedPayment } from '#domain/money/provided-payment.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import { erasePerson, findSubject } from '#ledger/erasure/erase-person.ts';
import { resolveAll } from '#ledger/persons/resolve-persons.ts';
import { openDatabase } from '#ledger/schema/open-database.ts';
import { findPaymentFault } from '#providers/connections/find-payment-fault.ts';
import { fetchWanted } from '#providers/history/fetch-wanted.ts';
import { type HistoryPorts, openApi, walkConnection } from '#providers/history/walk-connection.ts';
import { takeEvents } from '#providers/inbox/take-events.ts';
import { ledgerOf, toLine } from '../providers/ledger-lines.ts';
import { type Fault, type HistoryStub, startHistoryStub } from '../providers/stub-of-history.ts';
import { deliveriesOf, NOW, TELLERS } from '../providers/tellers.ts';
import { portsOf, SINCE, walkToEnd } from '../providers/walker-of-test.ts';
import { makeLedgerForEachTest, openTaking } from './ledger-of-test.ts';

const own = makeLedgerForEachTest();
let stub: HistoryStub;
let connectionId: string;
let ports: HistoryPorts;
afterEach(() => stub.stop());

/** Connects a provider to a stub of its API, and begins to walk its history. */
async function begin(provider: string, settings = {}, { isPoll = false } = {}): Promise<void> {
  own.clock = NOW;
  stub = await startHistoryStub(provider);
  const site = await own.ledger.addSite({
    domain: 'shop.example',
    timezone: 'UTC',
    currency: 'EUR',
  });
  assert.ok(site.ok);
  const added = { siteId: site.value.id, provider, name: provider, sealed: '', settings: {} };
  connectionId = (await own.ledger.addConnection(added)).id;
  if (isPoll) await own.ledger.resumeWalks(connectionId);
  else await own.ledger.restartHistory(connectionId, SINCE);
  ports = portsOf(own.ledger, stub.url, settings, { now: () => own.clock });
}

const wait = (until = 0) => {
  own.clock = Math.max(own.clock, until);
};
const walk = (kind: 'history' | 'poll' = 'history') =>
  walkToEnd(ports, own.path, { wait, kind } as never);

/** Payments as lines, and the versions of all: an unchanged ledger has no new ones. */
async function read(): Promise<{ lines: string[]; versions: unknown[] }> {
  const db = await openDatabase(own.path, { checkpoints: false });
  const rows = await db.all('SELECT stated FROM provided_payments');
  const versions = await db.arrays('SELECT transaction_id, version FROM payments ORDER BY 1');
  await db.close();
  const toMinor = (name: string, value: string) => (name.endsWith('Minor') ? BigInt(value) : value);
  const payments = rows.map(({ stated }): ProvidedPayment => JSON.parse(String(stated), toMinor));
  return { lines: payments.map(toLine).toSorted(), versions };
}

async function take(): Promise<void> {
  const { takeWaiting, close } = await openTaking(own.path, () => own.clock);
  while ((await takeEvents(takeWaiting)) > 0);
  await close();
}

/** Delivers the webhooks of a provider's world, or some of them. */
async function deliver(provider: string, wanted = (_type: string, _index: number) => true) {
  const teller = TELLERS.find((each) => each.provider.name === provider);
  assert.ok(teller);
  for (const [index, delivery] of deliveriesOf(teller).entries()) {
    const event = teller.provider.readEvent(delivery, teller.secrets);
    assert.ok(event);
    if (!wanted(event.type, index)) continue;
    await own.ledger.acceptProviderEvent({
      ...{ connectionId, eventId: event.id, type: event.type, isTest: false },
      ...{ receivedAt: own.clock, headers: {}, body: delivery.body.toString() },
    });
  }
  await take();
}

const stateOf = async (kind = 'history') =>
  (await own.ledger.listWalks(connectionId)).find((each) => each.kind === kind);

const WITH_PAGES = TELLERS.filter(({ provider }) => provider.backfill !== undefined);

for (const { provider, secrets } of WITH_PAGES) {
  it(`the history of ${provider.title} comes to the payments of its pages, once`, async () => {
    await begin(provider.name, secrets.settings);
    await walk();
    const { lines, versions } = await read();
    assert.deepEqual(lines, ledgerOf(stub.adds));
    const state = await stateOf();
    assert.deepEqual(
      [state?.error, state?.leftOut, state?.dueAt],
      [undefined, undefined, undefined],
    );
    assert.equal(state?.pages, stub.requests.length);
    await own.ledger.restartHistory(connectionId, SINCE);
    await walk();
    assert.deepEqual((await read()).versions, versions, 'the second walk changed something');
  });
}

describe('a provider that answers badly', () => {
  const faults: readonly Fault[] = [500, 503, 429, 'nonsense', 'nothing', 'empty'];
  for (const fault of faults) {
    it(`with ${fault} every other time is asked again until all is read`, async () => {
      await begin('stripe');
      stub.judge = (_path, count) => (count % 2 === 1 ? fault : undefined);
      await walk();
      assert.deepEqual((await read()).lines, ledgerOf(stub.adds));
      assert.equal((await stateOf())?.error, undefined);
    });
  }

  it('is not asked before it allows it', async () => {
    await begin('stripe');
    stub.judge = (_path, count) => (count === 1 ? 429 : undefined);
    const stopped = new AbortController().signal;
    const held = await own.ledger.holdWalk('test');
    assert.ok(held);
    const left = await walkConnection(held, ports, { stopped });
    assert.equal(left?.dueAt, NOW + 7_000);
    assert.equal(await own.ledger.holdWalk('test'), undefined);
  });

  it('for ever is given up with its place, and goes on from there', async () => {
    await begin('stripe');
    stub.judge = (_path, count) => (count > 4 ? 500 : undefined);
    await walk();
    const given = await stateOf();
    assert.match(given?.error ?? '', /Stripe answered 500: Not now\./);
    assert.ok(stub.requests.length < 25, `${stub.requests.length} requests`);
    const before = stub.requests.length;
    stub.judge = () => undefined;
    await own.ledger.resumeWalks(connectionId);
    await walk();
    assert.equal(stub.requests.length - before, 4, 'pages were read again');
    assert.deepEqual((await read()).lines, ledgerOf(stub.adds));
  });

  for (const { provider, secrets } of TELLERS.filter((each) => each.provider.backfill)) {
    it(`says what each list of ${provider.title} costs that its key may not read`, async () => {
      await begin(provider.name, secrets.settings);
      stub.judge = () => 403;
      await walk();
      const { error, leftOut = '' } = (await stateOf()) ?? {};
      if (error !== undefined) return assert.match(error, /answered 403/); // It gets no token at all.
      for (const list of provider.backfill?.lists ?? []) {
        const permission = provider.backfill?.permissionOf?.(list);
        const needed = permission ? ` The API key needs the permission "${permission}".` : '';
        const head = `The list of ${list} is left out. Without it, history has no `;
        const [, cost = ''] = leftOut.split(head);
        assert.ok(cost.includes(`.${needed} ${provider.title} answered 403`), leftOut);
      }
    });
  }

  it('to one list leaves that out, and says what to allow', async () => {
    await begin('stripe');
    stub.judge = (path) => (path.startsWith('/v1/refunds') ? 403 : undefined);
    await walk();
    const { error, leftOut, endedAt } = (await stateOf()) ?? {};
    assert.equal(error, undefined);
    assert.ok(endedAt);
    assert.match(
      leftOut ?? '',
      /The list of refunds is left out\. Without it, history has no refunds\. The API key needs the permission "Charges and Refunds"\..*Allow the API key to read it/,
    );
    assert.equal((await read()).lines.length, stub.adds.length);
    assert.notDeepEqual((await read()).lines, ledgerOf(stub.adds));
    stub.judge = () => undefined;
    await own.ledger.resumeWalks(connectionId); // As a new key does.
    await walk();
    assert.equal((await stateOf())?.leftOut, undefined);
    assert.deepEqual((await read()).lines, ledgerOf(stub.adds));
  });

  it('to a revoked key ends the walk, and says so', async () => {
    await begin('stripe');
    stub.judge = () => 401;
    await walk();
    assert.match((await stateOf())?.error ?? '', /wrong or was revoked/);
    assert.equal(stub.requests.length, 1);
  });
});

describe('a walk', () => {
  for (const requests of [1, 2, 4, 6, 8]) {
    it(`that is killed at request ${requests} goes on in another process`, async () => {
      await begin('stripe');
      const script = fileURLToPath(new URL('../providers/walk-in-process.ts', import.meta.url));
      const child = fork(script, [own.path, stub.url, String(NOW)], { stdio: 'inherit' });
      stub.judge = (_path, count) => {
        if (count === requests) child.kill('SIGKILL');
        return undefined;
      };
      const [, signal] = await once(child, 'exit');
      assert.equal(signal, 'SIGKILL');
      assert.equal(await own.ledger.holdWalk('test'), undefined, 'it is held for a while');
      own.clock += 200_000;
      await walk();
      assert.deepEqual((await read()).lines, ledgerOf(stub.adds));
      assert.ok(stub.requests.length <= 9, `${stub.requests.length} requests`);
    });
  }

  it('is held by one process at a time', async () => {
    await begin('stripe');
    const holds = await Promise.all(['a', 'b', 'c'].map((each) => own.ledger.holdWalk(each)));
    assert.equal(holds.filter((each) => each !== undefined).length, 1);
  });

  it('and webhooks of the same money are one payment', async () => {
    await begin('stripe');
    await deliver('stripe');
    const { lines } = await read();
    await walk();
    assert.deepEqual((await read()).lines, lines);
    assert.deepEqual(lines, ledgerOf(stub.adds));
  });

  it('brings back nobody who was erased', async () => {
    await begin('stripe');
    await walk();
    const siteId = own.ledger.findSite('shop.example')?.id ?? '';
    const db = await openDatabase(own.path, { checkpoints: false });
    await resolveAll(db);
    const subject = await findSubject(db, siteId, 'anna', 'person');
    await db.transaction((sql) => erasePerson(sql, siteId, subject, NOW));
    // As if the page had been read for the first time, or its events were kept no longer.
    await db.run("DELETE FROM provider_events WHERE event_id LIKE 'history charges%'");
    await own.ledger.restartHistory(connectionId, SINCE);
    await walk();
    const anna = await db.all("SELECT * FROM provided_payments WHERE transaction_id = 'pi_sale'");
    assert.equal(anna.length, 1);
    for (const table of ['provider_events', 'provider_facts', 'provided_payments']) {
      const text = JSON.stringify(await db.all(`SELECT * FROM ${table}`));
      assert.doesNotMatch(text, /anna/, table);
    }
    await db.close();
  });
});

describe('the hourly poll', () => {
  it('finds what no webhook reported, and says how much that is', async () => {
    await begin('stripe', {}, { isPoll: true });
    stub.isAnyTime = true;
    const isMissed = (_type: string, index: number) => index > 5;
    await deliver('stripe', isMissed);
    const before = await read();
    assert.equal(before.lines.length, stub.adds.length - 1);
    wait(NOW + 3_600_000);
    await walk('poll');
    assert.deepEqual((await read()).lines, ledgerOf(stub.adds));
    assert.equal(await own.ledger.countMissed(connectionId), 1);
    const [fault] = [
      await findPaymentFault(own.ledger, own.ledger.findSite('shop.example')?.id ?? ''),
    ];
    assert.match(
      fault ?? '',
      /^In the last seven days, 1 payment of Stripe came only by the poll\. The last event arrived at 2026.*not subscribed to .*charge\.refunded/,
    );
    const next = (await stateOf('poll'))?.dueAt ?? 0;
    const inMinutes = (next - own.clock) / 60_000;
    assert.ok(inMinutes > 49 && inMinutes <= 60, `${inMinutes}`);
    const { length } = stub.requests;
    wait(next);
    await walk('poll');
    assert.equal(stub.requests.length, 2 * length);
    await deliver('stripe');
    assert.equal(await own.ledger.countMissed(connectionId), 0, 'the webhook was only late');
  });

  it('looks at the last three days, and at all days that it was off', async () => {
    await begin('paddle', {}, { isPoll: true });
    stub.isAnyTime = true;
    wait(NOW + 3_600_000);
    await walk('poll');
    assert.equal((await stateOf('poll'))?.since, NOW - 3 * DAY_MS);
    wait(NOW + 10 * DAY_MS);
    await walk('poll');
    const since = (await stateOf('poll'))?.since ?? 0;
    assert.ok(Math.abs(since - (NOW - 3 * DAY_MS)) < DAY_MS, new Date(since).toISOString());
  });
});

describe('an event that only names its object', () => {
  const charge = {
    ...{ id: 'ch_thin', object: 'charge', amount: 700, amount_captured: 700, currency: 'eur' },
    ...{ created: NOW / 1_000, paid: true, captured: true, status: 'succeeded', livemode: true },
    metadata: { service_visitor_id: 'gina' },
  };

  /** Delivers events of Stripe that name these objects, oldest first. */
  async function deliverThin(urls: Readonly<Record<string, string>>): Promise<void> {
    for (const [eventId, url] of Object.entries(urls)) {
      const event = {
        ...{ id: eventId, object: 'v2.core.event', type: 'v1.charge.succeeded', livemode: true },
        related_object: { id: 'ch_thin', type: 'charge', url },
      };
      await own.ledger.acceptProviderEvent({
        ...{ connectionId, eventId, type: event.type, isTest: false },
        ...{ receivedAt: NOW, headers: {}, body: JSON.stringify(event) },
      });
    }
    await take();
  }

  async function fetchAll(): Promise<boolean> {
    const api = openApi(connectionId, ports);
    assert.ok(api);
    return fetchWanted(await own.ledger.findWanted(connectionId, 10), {
      ...{ backfill: api.provider.backfill, ask: api.ask, prefix: api.prefix, now: () => NOW },
      save: (...found) => own.ledger.saveWanted(connectionId, ...found),
    });
  }

  it('is completed by the object, with the key', async () => {
    await begin('stripe');
    stub.objects.set('/v1/charges/ch_thin', charge);
    await deliverThin({
      evt_1: '/v1/charges/ch_thin',
      evt_2: '/v1/charges/ch_gone',
      evt_3: '@evil.example/v1/charges/ch_thin',
    });
    const { error } = (await own.ledger.findEvent(connectionId, 'evt_1')) ?? {};
    assert.match(error ?? '', /Recreate it in Stripe with the payload style "Snapshot"/);
    assert.equal(await fetchAll(), true);
    await take();
    assert.deepEqual((await read()).lines, ['7.00 EUR new, gina']);
    assert.equal((await own.ledger.findEvent(connectionId, 'evt_1'))?.state, 'done');
    const gone = await own.ledger.findEvent(connectionId, 'evt_2');
    assert.equal(gone?.state, 'failed');
    assert.match(gone?.error ?? '', /could not be fetched\. Stripe answered 404/);
    assert.equal((await own.ledger.findEvent(connectionId, 'evt_3'))?.state, 'failed');
    assert.ok(stub.requests.every((path) => !path.includes('@')));
    assert.deepEqual(await own.ledger.findWanted(connectionId, 10), []);
  });

  it('waits if its object cannot be read now, and holds up no other', async () => {
    await begin('stripe');
    stub.objects.set('/v1/charges/ch_thin', charge);
    stub.judge = (path) => (path.includes('ch_broken') ? 500 : undefined);
    await deliverThin({ evt_1: '/v1/charges/ch_broken', evt_2: '/v1/charges/ch_thin' });
    assert.equal(await fetchAll(), false);
    await take();
    assert.deepEqual((await read()).lines, ['7.00 EUR new, gina']);
    const waiting = await own.ledger.findWanted(connectionId, 10);
    assert.deepEqual(
      waiting.map(({ eventId }) => eventId),
      ['evt_1'],
    );
  });

  it('waits with all others while the provider is down, or asks to be left alone', async () => {
    await begin('stripe');
    const urls = Array.from({ length: 9 }, (_, n) => [`evt_${n}`, `/v1/charges/ch_${n}`]);
    await deliverThin(Object.fromEntries(urls));
    stub.judge = () => 500;
    assert.equal(await fetchAll(), false);
    assert.equal(stub.requests.length, 5);
    stub.judge = () => 429;
    assert.equal(await fetchAll(), false);
    assert.equal(stub.requests.length, 6);
    assert.equal((await own.ledger.findWanted(connectionId, 10)).length, 9);
  });
});
