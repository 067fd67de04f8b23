import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addCaller, type Caller } from '../../server/caller.ts';
import { runCli, startServer, type TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

type Shown = { events_total: number; person: { emails: string[] }; payments: unknown[] };
type Receipt = { erasure: { state: string; counts: { events: number; payments: number } } };

describe('the command visitor', () => {
  let server: TestServer;
  let caller: Caller;

  before(async () => {
    server = await startServer();
    caller = await addCaller(server.url, server.dataDir, 'example.com');
    for (const visitor of ['anna', 'ben']) {
      await caller.pageview(visitor, '/');
      await caller.payment({
        ...{ amount: 10, currency: 'USD', transaction_id: `paid-by-${visitor}` },
        ...{ service_visitor_id: visitor, email: `${visitor}@shop.example` },
      });
    }
    await waitUntil(
      () => show('ben').catch(() => undefined),
      (found) => found?.events_total === 1 && found.person.emails.length === 1,
    );
  });
  after(async () => {
    await server.stop();
    server.cleanUp();
  });

  const visitor = <T>(...args: string[]) =>
    runCli<T>(['visitor', ...args, '--site', 'example.com'], server.dataDir);
  const show = (id: string) => visitor<Shown>('show', id);

  it('shows everything that is stored', async () => {
    const { events_total, person, payments } = await show('anna');
    assert.deepEqual([events_total, person.emails], [1, ['anna@shop.example']]);
    assert.equal(payments.length, 1);
  });

  it('refuses what is no id, no site, and nobody', async () => {
    await assert.rejects(show('a b'), /must be 1 to 128 characters/);
    await assert.rejects(show('nobody'), /Nothing is stored about visitor nobody on example\.com/);
    const elsewhere = ['visitor', 'show', 'anna', '--site', 'other.example'];
    await assert.rejects(runCli(elsewhere, server.dataDir), /There is no site other\.example/);
  });

  it('forgets the person and answers with the receipt, also without a running server', async () => {
    const expected = { events: 1, payments: 1 };
    for (const id of ['anna', 'ben']) {
      const { erasure } = await visitor<Receipt>('delete', id);
      const { events, payments } = erasure.counts;
      assert.deepEqual([erasure.state, { events, payments }], ['done', expected]);
      await assert.rejects(show(id), /Nothing is stored/);
      await server.stop();
    }
  });
});
