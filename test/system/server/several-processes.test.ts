import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { addCaller, type Caller } from '../../server/caller.ts';
import { makeDataDir, runCli, startServer, type TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

const TWO = { WEB_CONCURRENCY: '2' };
const many = Array.from({ length: 24 }, (_, index) => index);

type Verified = { verified: boolean; counts: { what: string; found: string }[] };

describe('two web processes on one port', () => {
  let server: TestServer;
  let caller: Caller;

  before(async () => {
    server = await startServer({ env: TWO });
    caller = await addCaller(server.url, server.dataDir, 'example.com');
    await waitUntil(
      () => caller.query({ metrics: ['pageviews'] }),
      ({ status }) => status === 200,
    );
  });
  after(async () => {
    await server.stop();
    server.cleanUp();
  });

  async function found(...metrics: string[]): Promise<unknown[] | undefined> {
    return metricsOf(await caller.query({ metrics }));
  }

  it('take a goal right after its pageview, whichever of them gets it', async () => {
    const statuses = await Promise.all(
      many.map(async () => {
        const visitor = randomUUID();
        const seen = await caller.pageview(visitor);
        const reached = await caller.goal(visitor, 'signup');
        return `${seen.status} ${reached.status}`;
      }),
    );
    assert.deepEqual([...new Set(statuses)], ['200 200']);
  });

  it('refuse the goal of a visitor whom neither has seen', async () => {
    assert.equal((await caller.goal(randomUUID(), 'signup')).status, 404);
  });

  it('open one visit for a visitor who shows two pages at once and names none', async () => {
    const twice = many.map(() => randomUUID()).flatMap((visitor) => [visitor, visitor]);
    const seen = await Promise.all(twice.map((visitor) => caller.pageview(visitor, '/twice')));
    assert.deepEqual([...new Set(seen.map(({ status }) => status))], [200]);
    const question = {
      metrics: ['visits', 'pageviews'],
      filters: [['is', 'event:page', ['/twice']]],
    };
    const { body } = await waitUntil(
      () => caller.query(question),
      // Visits are made from an insert's events a moment after these are there.
      (answer) =>
        metricsOf(answer)?.[1] === twice.length && Number(metricsOf(answer)?.[0]) >= many.length,
    );
    assert.deepEqual(metricsOf({ body }), [many.length, twice.length]);
  });

  it('bring every payment to the warehouse within seconds', async () => {
    for (const index of many) {
      const payment = { amount: 1, currency: 'USD', transaction_id: `t-${index}` };
      assert.equal((await caller.payment(payment)).status, 200);
    }
    await waitUntil(
      () => found('payments'),
      (metrics) => metrics?.[0] === many.length,
      5_000,
    );
  });

  it('have shared the work, and nothing differs', async () => {
    const { verified, counts } = await runCli<Verified>(['verify'], server.dataDir);
    assert.equal(verified, true);
    const journals = counts.filter(({ what }) => what.startsWith('events of journal'));
    assert.equal(journals.length, 2);
    for (const journal of journals) assert.ok(Number(journal.found) > 0);
  });

  it('leave nothing behind when one of them is not started again', async () => {
    await Promise.all(many.map(() => caller.pageview(randomUUID())));
    await server.kill();
    server = await startServer({ dataDir: server.dataDir });
    caller = caller.at(server.url);
    await waitUntil(
      () => found('pageviews'),
      (metrics) => metrics?.[0] === 4 * many.length,
    );
    const { verified } = await runCli<Verified>(['verify'], server.dataDir);
    assert.equal(verified, true);
  });

  it('say so when somebody else has the port', async () => {
    const dataDir = makeDataDir();
    const env = { ...TWO, PORT: new URL(server.url).port };
    await assert.rejects(
      startServer({ dataDir, env }),
      /PORT is \d+; something else listens there/,
    );
    rmSync(dataDir, { recursive: true });
  });
});

function metricsOf({ body }: { readonly body: unknown }): unknown[] | undefined {
  return (body as { results?: { metrics: unknown[] }[] }).results?.[0]?.metrics;
}
