import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY_MS } from '#domain/time/durations.ts';
import { openDatabase } from '#ledger/schema/open-database.ts';
import { takeEvents } from '#providers/inbox/take-events.ts';
import { makeLedgerForEachTest, openErasures, openTaking } from './ledger-of-test.ts';

const own = makeLedgerForEachTest();

/** A site with a connection that has had an event on each of the last 120 days, taken but for the very first. */
async function addSite(domain: string): Promise<{ siteId: string; connectionId: string }> {
  const site = await own.ledger.addSite({ domain, timezone: 'UTC', currency: 'EUR' });
  assert.ok(site.ok);
  const { id: siteId } = site.value;
  const added = { siteId, provider: 'stripe', name: domain, sealed: '', settings: {} };
  const { id: connectionId } = await own.ledger.addConnection(added);
  for (let day = 0; day < 120; day += 1) {
    const body = { id: `evt_${day}`, type: 'tea.brewed' };
    await own.ledger.acceptProviderEvent({
      ...{ connectionId, eventId: body.id, type: body.type, isTest: false, headers: {} },
      ...{ receivedAt: own.clock - day * DAY_MS, body: JSON.stringify(body) },
    });
  }
  const { takeWaiting, close } = await openTaking(own.path, () => own.clock);
  while ((await takeEvents(takeWaiting)) > 0);
  await close();
  return { siteId, connectionId };
}

async function countEvents(connectionId: string): Promise<number> {
  const { events } = await own.ledger.countInbox(connectionId);
  return events.reduce((sum, { count }) => sum + count, 0);
}

describe('raw events of payment providers', () => {
  it('are kept for 90 days, or for as long as their site says', async () => {
    const [tea, pots] = [await addSite('tea.example'), await addSite('pots.example')];
    assert.ok((await own.ledger.setSite(pots.siteId, { providerEvents: '7d' })).ok);
    assert.equal(await own.ledger.purgeProviderEvents(), false, 'there are no more');
    assert.equal(await countEvents(tea.connectionId), 91);
    assert.equal(await countEvents(pots.connectionId), 8);
    await own.ledger.setSite(pots.siteId, { providerEvents: 'default' });
    own.clock += 80 * DAY_MS;
    await own.ledger.purgeProviderEvents();
    assert.equal(await countEvents(tea.connectionId), 11);
    assert.equal(await countEvents(pots.connectionId), 8);
  });

  it('of a connection that was removed go in time, too', async () => {
    const { connectionId } = await addSite('tea.example');
    await own.ledger.removeConnection(connectionId);
    await own.ledger.purgeProviderEvents();
    assert.equal(await countEvents(connectionId), 91);
  });

  it('stay while they wait to be taken, and while the clock is not trusted', async () => {
    const { connectionId } = await addSite('tea.example');
    const db = await openDatabase(own.path, { checkpoints: false });
    await db.run("UPDATE provider_events SET state = 'new' WHERE event_id = 'evt_119'");
    await db.close();
    const doubting = await openErasures(
      own.path,
      () => own.clock,
      () => undefined,
    );
    await doubting.purgeProviderEvents();
    await doubting.close();
    assert.equal(await countEvents(connectionId), 120);
    await own.ledger.purgeProviderEvents();
    assert.equal(await countEvents(connectionId), 92);
  });
});
