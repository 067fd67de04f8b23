import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changeConnection, connect } from '#providers/connections/connect.ts';
import { makeLedgerForEachTest } from '../ledger/ledger-of-test.ts';

describe('a second connection of a provider that numbers its orders', () => {
  const own = makeLedgerForEachTest();
  const ports = () => ({
    ledger: own.ledger,
    key: () => Buffer.alloc(32, 1),
    now: () => own.clock,
  });

  async function addSite(): Promise<string> {
    const added = { domain: 'example.com', timezone: 'UTC', currency: 'EUR' };
    const site = await own.ledger.addSite(added);
    assert.ok(site.ok);
    return site.value.id;
  }

  async function begin(siteId: string, provider = 'woocommerce') {
    const made = await connect(ports(), {
      siteId,
      provider,
      fields: { signing_secret: 'a secret' },
    });
    assert.ok(made.ok);
    return made.value;
  }

  async function receive(connectionId: string): Promise<void> {
    await own.ledger.acceptProviderEvent({
      ...{ connectionId, eventId: 'e', type: 't', isTest: true, receivedAt: own.clock },
      ...{ headers: {}, body: '{}' },
    });
  }

  it('has ids of its own, once the first has sent something', async () => {
    const siteId = await addSite();
    const first = await begin(siteId);
    assert.deepEqual((await begin(siteId)).settings, {});
    await receive(first.id);
    const second = await begin(siteId);
    assert.deepEqual(second.settings, { id_prefix: '2:' });
    await receive(second.id);
    assert.deepEqual((await begin(siteId)).settings, { id_prefix: '3:' });
    await own.ledger.removeConnection(first.id);
    assert.deepEqual((await begin(siteId)).settings, {});
    assert.deepEqual((await begin(siteId, 'shopify')).settings, {});
  });

  it('keeps them: its payments are known by them', async () => {
    const siteId = await addSite();
    const { id } = await begin(siteId);
    const change = async (prefix: string) => {
      const connection = (await own.ledger.listConnections(siteId)).find((each) => each.id === id);
      assert.ok(connection);
      return changeConnection(ports(), connection, { fields: { id_prefix: prefix } });
    };
    assert.equal((await change('shop-b:')).ok, true);
    await receive(id);
    const refused = await change('');
    assert.ok(!refused.ok && refused.error.message === 'cannot change after the first event');
    assert.equal((await change('shop-b:')).ok, true);
  });
});
