import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { stripe } from '#providers/stripe/stripe.ts';
import { charge, refund, type StripeEvent, session } from '../../providers/stripe-world.ts';
import { addSite, createKey } from '../../server/add-site.ts';
import { callerOf } from '../../server/caller.ts';
import { runCli, startServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

const SECRET = 'whsec_0123456789abcdef01';
const MONEY = ['payments', 'gross_revenue', 'refunds', 'revenue'];

describe('a server that is killed while it takes events of a provider', () => {
  for (const point of [
    ...['before ledger commit', 'after ledger commit'],
    ...['before provider events', 'after provider events'],
  ]) {
    it(`loses and repeats nothing: ${point}`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'tributary-plan-'));
      const plan = join(folder, 'plan');
      const server = await startServer({ env: { TRIBUTARY_TEST_CRASH_PLAN: plan } });
      try {
        await addSite(server.dataDir, 'shop.example', { currency: 'EUR' });
        const key = await createKey(server.dataDir, 'shop.example');
        const connect = ['provider', 'connect', 'stripe', '--site', 'shop.example'];
        const secret = ['--signing-secret', SECRET];
        const { id } = await runCli<{ id: string }>([...connect, ...secret], server.dataDir);
        writeFileSync(plan, point);
        const at = Math.floor(Date.now() / 1_000);
        const events = [session('a', at), charge('a', at), refund('x', 'a', at, 900)];
        for (const event of events) await sendUntilAnswered(server.url, id, event);
        await waitUntil(
          async () => existsSync(plan),
          (isPlanned) => !isPlanned,
        );
        const caller = callerOf(server.url, 'shop.example', key);
        const figures = () => caller.query({ metrics: MONEY });
        const isThere = ({ body }: { body: unknown }) =>
          JSON.stringify(body ?? '').includes('"20.00"');
        const { body } = await waitUntil(figures, isThere);
        const [{ metrics }] = (body as { results: [{ metrics: unknown[] }] }).results;
        assert.deepEqual(metrics, [1, ...['29.00', '9.00', '20.00'].map(toEuro)]);
      } finally {
        await server.stop();
        server.cleanUp();
        rmSync(folder, { recursive: true });
      }
    });
  }
});

const toEuro = (value: string) => ({ value, currency: 'EUR' });

/** Repeats a delivery until it is answered 200, as Stripe does. */
async function sendUntilAnswered(url: string, id: string, event: StripeEvent): Promise<void> {
  const body = JSON.stringify(event);
  const send = () =>
    fetch(`${url}/webhooks/${id}`, {
      ...{ method: 'POST', body },
      headers: stripe.signSample?.(body, SECRET, Date.now(), event.id, {}) ?? {},
    }).then(
      ({ status }) => status,
      () => 0,
    );
  await waitUntil(send, (status) => status === 200);
}
