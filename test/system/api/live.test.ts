import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { addCaller, type Caller } from '../../server/caller.ts';
import { listen } from '../../server/listen-live.ts';
import { readStalledMs } from '../../server/stall-clock.ts';
import { findEngine, startServer, type TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

/** The promise: accepted events are sent within this time. */
const SENT_WITHIN_MS = 2_000;

describe('a live stream', () => {
  let server: TestServer;
  let caller: Caller;

  before(async () => {
    server = await startServer({ env: { LOG_LEVEL: 'error' } });
    caller = await addCaller(server.url, server.dataDir, 'example.com');
  });
  after(async () => {
    await server?.stop();
    server?.cleanUp();
  });

  it('sends each of what is accepted within two seconds, and nobody’s address', async () => {
    const streams = await Promise.all([1, 2].map(() => listen(server.url, caller.key)));
    for (const stream of streams)
      assert.equal((await stream.next('status')).data.warehouse, 'there');
    const pids = [process.pid, ...server.pids()];
    for (let round = 0; round < 6; round += 1) {
      const stalledMs = readStalledMs(pids);
      const visitor = randomUUID();
      const page = `/page-${round}`;
      await caller.pageview(visitor, page);
      const seen = performance.now();
      await caller.goal(visitor, `goal-${round}`, `key-${round}`);
      await caller.payment({
        ...{ amount: round + 0.5, currency: 'EUR', transaction_id: `t-${round}` },
        ...{ email: 'anna@example.com', name: 'Anna', service_visitor_id: visitor },
      });
      const paid = performance.now();
      for (const stream of streams) {
        const shown = await stream.find('event', ({ data }) => data.page === page);
        const goal = await stream.find('event', ({ data }) => data.goal === `goal-${round}`);
        const amount = `${round}.50`;
        const payment = await stream.find(
          'payment',
          ({ data }) => (data.amount as { value: string }).value === amount,
        );
        assert.equal(goal.data.type, 'goal');
        assert.deepEqual(payment.data.amount, { value: amount, currency: 'EUR' });
        const latestMs = Math.max(shown.at - seen, goal.at - paid, payment.at - paid);
        const ownMs = latestMs - (readStalledMs(pids) - stalledMs);
        assert.ok(ownMs < SENT_WITHIN_MS, `${latestMs} ms, of them ${ownMs} its own`);
      }
    }
    const everything = streams.map(({ text }) => text()).join();
    assert.doesNotMatch(everything, /anna|Anna|email|props/);
    for (const stream of streams) stream.close();
  });

  it('leaves bots out', async () => {
    const stream = await listen(server.url, caller.key);
    await fetch(`${server.url}/api/v1/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Googlebot/2.1' },
      body: JSON.stringify({
        ...{ site: 'example.com', type: 'pageview', url: 'https://example.com/crawled' },
        service_visitor_id: 'a-crawler',
      }),
    });
    await caller.pageview(randomUUID(), '/people');
    await stream.find('event', ({ data }) => data.page === '/people');
    assert.doesNotMatch(stream.text(), /crawled/);
    stream.close();
  });

  it('goes on where it was left', async () => {
    const first = await listen(server.url, caller.key);
    await caller.pageview(randomUUID(), '/before');
    const { id } = await first.find('event', ({ data }) => data.page === '/before');
    first.close();
    await caller.pageview(randomUUID(), '/between');
    await caller.payment({ amount: 77, currency: 'EUR', transaction_id: 't-between' });
    for (let time = 0; time < 2; time += 1) {
      const again = await listen(server.url, caller.key, { 'last-event-id': id });
      await again.find('event', ({ data }) => data.page === '/between');
      await again.find(
        'payment',
        ({ data }) => (data.amount as { value: string }).value === '77.00',
      );
      assert.equal(
        again.messages('status').some(({ data }) => data.gap),
        false,
      );
      const ids = again.messages('event').map(({ data }) => data.id);
      assert.equal(new Set(ids).size, ids.length, 'nothing is told twice');
      again.close();
    }
  });

  it('says that there is a gap when it was left too long ago', async () => {
    const stream = await listen(server.url, caller.key, { 'last-event-id': '1000000000000' });
    assert.equal((await stream.next('status')).data.gap, true);
    stream.close();
  });

  it('goes on from now where the position is ahead of the clock', async () => {
    const ahead = String(Date.now() + 3_600_000);
    const stream = await listen(server.url, caller.key, { 'last-event-id': ahead });
    await caller.pageview(randomUUID(), '/set-back');
    await stream.find('event', ({ data }) => data.page === '/set-back');
    stream.close();
  });

  it('refuses what is no position, and params that it does not know', async () => {
    const headers = { authorization: `Bearer ${caller.key}` };
    const ask = async (path: string, more = {}) => {
      const answer = await fetch(`${server.url}${path}`, { headers: { ...headers, ...more } });
      const { error } = (await answer.json()) as { error: { details: { path: string }[] } };
      return [answer.status, ...error.details.map(({ path }) => path)].join(' ');
    };
    assert.equal(
      await ask('/api/v1/live/stream', { 'last-event-id': 'seven' }),
      '400 /last-event-id',
    );
    assert.equal(await ask('/api/v1/live/stream?since=1'), '400 /since');
    assert.equal(await ask('/api/v1/live?limit=0'), '400 /limit');
    assert.equal(await ask('/api/v1/live?limit=1&limit=2'), '400 /limit');
    assert.equal(await ask('/api/v1/live?site_id=other.example'), '403');
    assert.equal((await fetch(`${server.url}/api/v1/live`)).status, 401);
    assert.equal((await fetch(`${server.url}/api/v1/live/stream`)).status, 401);
  });

  it('stands for who is there, too', async () => {
    const visitor = randomUUID();
    await caller.pageview(visitor, '/now');
    const { visitors } = await waitUntil(
      async (): Promise<{ visitors: { last_5_minutes?: number } }> => {
        const answer = await fetch(`${server.url}/api/v1/live?site_id=example.com`, {
          headers: { authorization: `Bearer ${caller.key}` },
        });
        const found = (await answer.json()) as {
          pages: { value: string; visitors: { last_5_minutes?: number } }[];
        };
        return found.pages.find(({ value }) => value === '/now') ?? { visitors: {} };
      },
      (row) => row.visitors.last_5_minutes === 1,
    );
    assert.deepEqual(visitors, { last_5_minutes: 1, last_30_minutes: 1 });
  });

  it('sends what was accepted while the warehouse was away, once it is back', async () => {
    const stream = await listen(server.url, caller.key);
    await stream.next('status');
    const engine = findEngine(server);
    assert.ok(engine !== undefined);
    process.kill(engine, 'SIGSTOP'); // Its supervisor soon notices, and starts another.
    const url = 'https://example.com/meanwhile';
    await caller.post('/api/v1/events', {
      ...{ site: 'example.com', type: 'pageview', url, service_visitor_id: randomUUID() },
      visit_id: `${Date.now()
        .toString(16)
        .padStart(12, '0')
        .replace(/^(.{8})/, '$1-')}-7000-8000-000000000001`,
    });
    await stream.find('event', ({ data }) => data.page === '/meanwhile');
    // An engine that is back this soon was never away.
    assert.notEqual(stream.messages('status').at(-1)?.data.warehouse, 'away');
    stream.close();
  });

  it('lets no more than so many listen', async () => {
    const open = [];
    let refused: unknown;
    for (let count = 0; count < 33 && refused === undefined; count += 1) {
      open.push(await listen(server.url, caller.key).catch((error) => (refused = error)));
    }
    assert.match(String(refused), /429/);
    for (const stream of open) if ('close' in stream) stream.close();
  });

  it('ends with its process, in order', async () => {
    const stream = await listen(server.url, caller.key);
    await stream.next('status');
    const begun = performance.now();
    const stopped = server.stop();
    await stream.ended;
    assert.equal(await stopped, 0);
    assert.ok(performance.now() - begun < 60_000);
  });
});
