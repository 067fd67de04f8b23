import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { InboxEvent } from '#domain/money/provider-event.ts';
import type { Certificates } from '#providers/certificates.ts';
import { createReceiveEvent } from '#providers/connections/receive-event.ts';
import { testConnection } from '#providers/connections/test-connection.ts';
import type { Delivery } from '#providers/provider.ts';
import { deliveriesOf, NOW, PAYPAL_URL, TELLERS, type Teller } from './tellers.ts';

/** A connection's door, and what came through it. */
function openDoor(teller: Teller, certificates: Certificates = findsOwn(teller)) {
  const accepted = new Map<string, InboxEvent>();
  /** What this process knows of the connection, and what another one has given it since. */
  const known = { secrets: teller.secrets, given: teller.secrets, looks: 0 };
  const connection = {
    ...{ id: 'conn_1', siteId: 'site_1', provider: teller.provider.name, name: '', sealed: '' },
    ...{ settings: teller.secrets.settings, createdAt: NOW, lastEventAt: undefined },
    ...{ lastError: undefined, lastErrorAt: undefined },
  };
  let loaded = connection;
  const receive = createReceiveEvent({
    findConnection: (id) => (id === loaded.id ? loaded : undefined),
    async refresh() {
      known.looks += 1;
      if (known.secrets === known.given) return;
      [known.secrets, loaded] = [known.given, { ...connection }];
    },
    openSecrets: () => known.secrets,
    certificates,
    accept: async (event) => {
      const isNew = !accepted.has(event.eventId);
      accepted.set(event.eventId, event);
      return isNew;
    },
    onRefused: () => {},
  });
  return { accepted, connection, known, receive };
}

function findsOwn({ certificate }: Teller): Certificates {
  return { find: async () => certificate };
}

for (const teller of TELLERS) {
  const { provider, secrets } = teller;

  describe(`the door of a connection to ${provider.title}`, () => {
    it('lets each sample in once', async () => {
      const { receive, accepted } = openDoor(teller);
      const deliveries = deliveriesOf(teller);
      for (const delivery of [...deliveries, ...deliveries.toReversed()]) {
        assert.equal((await receive('conn_1', delivery)).ok, true);
      }
      assert.equal(accepted.size, deliveries.length);
    });

    it('passes the connection’s own test, if we can sign', async () => {
      const { receive, accepted, connection } = openDoor(teller);
      const steps = await testConnection({
        ...{ connection, secrets, now: () => NOW },
        findEvent: async (_, id) => {
          const event = accepted.get(id);
          return event && { state: event.isTest ? 'test' : 'new', error: undefined };
        },
        async deliver(path, body, headers) {
          const url = new URL(path, 'http://localhost');
          const addressToken = url.searchParams.get('token') ?? undefined;
          const [, , id = ''] = url.pathname.split('/');
          const delivery: Delivery = {
            ...{ headers, body: Buffer.from(body), receivedAt: NOW },
            addressToken,
          };
          const received = await receive(id, delivery);
          return received.ok ? 200 : received.error.type === 'unauthorized' ? 401 : 400;
        },
      });
      const faults = steps.filter(({ ok }) => !ok);
      if (provider.signSample === undefined)
        assert.match(faults[0]?.found ?? '', /itself can sign/);
      else assert.deepEqual(faults, []);
    });
  });
}

describe('the door', () => {
  const tellerOf = (name: string) => {
    const teller = TELLERS.find(({ provider }) => provider.name === name);
    assert.ok(teller);
    return teller;
  };

  it('answers WooCommerce’s first call, and keeps nothing', async () => {
    const { receive, accepted } = openDoor(tellerOf('woocommerce'));
    const ping = { headers: {}, body: Buffer.from('webhook_id=7'), receivedAt: NOW };
    assert.equal((await receive('conn_1', ping)).ok, true);
    assert.equal(accepted.size, 0);
  });

  it('wants a delivery again while its certificate cannot be read', async () => {
    const teller = tellerOf('paypal');
    const asked: string[] = [];
    const find = async (url: string) => void asked.push(url);
    const { receive, accepted } = openDoor(teller, { find });
    const [delivery] = deliveriesOf(teller);
    assert.ok(delivery);
    await assert.rejects(receive('conn_1', delivery), { name: 'UnavailableError' });
    assert.deepEqual(asked, [PAYPAL_URL]);
    const elsewhere = { ...delivery.headers, 'paypal-cert-url': 'https://evil.example/cert' };
    const refused = await receive('conn_1', { ...delivery, headers: elsewhere });
    assert.ok(!refused.ok && refused.error.type === 'unauthorized');
    assert.equal(asked.length, 1);
    assert.equal(accepted.size, 0);
  });

  it('knows a secret that another process gave the connection a moment before', async () => {
    const teller = tellerOf('stripe');
    const { receive, accepted, known } = openDoor(teller);
    const [delivery] = deliveriesOf(teller);
    assert.ok(delivery);
    known.secrets = { signingSecrets: [], settings: {} };
    assert.equal((await receive('conn_1', delivery)).ok, true);
    assert.equal(accepted.size, 1);
    assert.equal((await receive('conn_1', delivery)).ok, true);
    assert.equal(known.looks, 1);
  });

  it('looks for what was just given at most ten times a second, however many are forged', async () => {
    const teller = tellerOf('stripe');
    const { receive, known } = openDoor(teller);
    const [delivery] = deliveriesOf(teller);
    assert.ok(delivery);
    const body = Buffer.from('{}');
    for (let index = 0; index < 1_000; index++) {
      const id = index % 2 === 0 ? 'conn_1' : 'conn_2';
      const received = await receive(id, { ...delivery, body, receivedAt: NOW + index });
      assert.equal(received.ok, false);
    }
    assert.equal(known.looks, 10);
  });
});
