import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { QueryAnswer } from '#contract/query.ts';
import { createKey } from '../../server/add-site.ts';
import { addCaller, type Caller, callerOf } from '../../server/caller.ts';
import { runCli, startServer, type TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

const AUTUMN = { date: '2026-10-05', source: 'google', medium: 'cpc', campaign: 'autumn' };

describe('POST /api/v1/costs', () => {
  let server: TestServer;
  let caller: Caller;
  before(async () => {
    server = await startServer();
    caller = await addCaller(server.url, server.dataDir, 'shop.example');
  });
  after(async () => {
    await server.stop();
    server.cleanUp();
  });

  const send = (costs: unknown, more: object = {}) =>
    caller.post('/api/v1/costs', { costs, ...more });

  async function lines(query: object): Promise<string[]> {
    const { status, body } = await caller.query({ ...query });
    assert.equal(status, 200, JSON.stringify(body));
    return (body as QueryAnswer).results.map(({ dimensions, metrics }) =>
      [
        ...dimensions,
        ...metrics.map((each) => (typeof each === 'object' ? each?.value : each)),
      ].join(' '),
    );
  }

  async function shows(expected: string[], query: object): Promise<void> {
    const isShown = (found: string[]) => `${found}` === `${expected}`;
    assert.deepEqual(await waitUntil(() => lines(query), isShown), expected);
  }

  it('records what was spent, to the cent, by source and by the channel of its visits', async () => {
    const answer = await send([
      { ...AUTUMN, amount: 120.5, currency: 'USD' },
      { ...AUTUMN, date: '2026-10-06', amount: 0.07, currency: 'usd' },
      { date: '2026-10-06', source: 'fb', medium: 'paid_social', amount: 30, currency: 'USD' },
    ]);
    assert.deepEqual(answer, {
      status: 200,
      body: {
        message: '3 costs are recorded.',
        ...{ added: 3, replaced: 0, unchanged: 0, removed: 0, kept: 0 },
      },
    });
    const metrics = ['cost', 'roas'];
    await shows(['Google 120.57 0', 'Facebook 30.00 0'], { metrics, dimensions: ['visit:source'] });
    await shows(['Paid Search 120.57', 'Paid Social 30.00'], {
      ...{ metrics: ['cost'], dimensions: ['visit:channel'] },
    });
  });

  it('replaces a cost with the same day, source, medium and campaign', async () => {
    const { body } = await send([{ ...AUTUMN, source: 'Google', amount: 100, currency: 'USD' }]);
    assert.equal((body as { replaced: number }).replaced, 1);
    await shows(['100.07'], { metrics: ['cost'], filters: [['is', 'visit:source', ['Google']]] });
  });

  it('removes the others of the days and sources that it states as a whole', async () => {
    const spring = { ...AUTUMN, campaign: 'spring', amount: 5, currency: 'USD' };
    const { body } = await send([spring], { whole_days: true });
    assert.equal(
      (body as { message: string }).message,
      '1 cost is recorded; 1 others of these days and sources were removed.',
    );
    await shows(['spring 5.00', 'autumn 0.07'], {
      ...{ metrics: ['cost'], dimensions: ['visit:campaign'] },
      filters: [['is', 'visit:source', ['Google']]],
    });
  });

  it('are counted by verify, and are there after a rebuild', async () => {
    type Count = { readonly what: string; readonly found: string };
    type Verified = { readonly verified: boolean; readonly counts: readonly Count[] };
    const { verified, counts } = await runCli<Verified>(['verify'], server.dataDir);
    const found = counts
      .filter(({ what }) => what.startsWith('costs of'))
      .map((each) => each.found);
    assert.deepEqual([verified, found], [true, ['3', '3507']]);
    await server.stop();
    const rebuilt = await runCli<{ readonly in_place: boolean }>(['rebuild'], server.dataDir);
    assert.equal(rebuilt.in_place, true);
    server = await startServer({ dataDir: server.dataDir });
    caller = caller.at(server.url);
    await shows(['35.07'], { metrics: ['cost'] });
  });

  it('says what it rounded, and which fields it did not read', async () => {
    const yen = { date: '2026-10-07', source: 'x', amount: 12.34, currency: 'JPY' };
    const { body } = await send(
      [
        { ...yen, campain: 'autumn' },
        { ...yen, source: 'y', amount: 12.5, note: 'N' },
      ],
      { whole_day: true },
    );
    assert.equal(
      (body as { message: string }).message,
      '2 costs are recorded; rounded: costs/0 to 12 JPY, costs/1 to 13 JPY; not read: whole_day (did you mean whole_days?), campain (did you mean campaign?), note.',
    );
    const { body: odd } = await send([{ ...yen, amount: 12.0, currency: 'eur' }]);
    assert.equal((odd as { message: string }).message, '1 cost is recorded; 1 replaced others.');
  });

  it('refuses a key that may only read', async () => {
    const key = await createKey(server.dataDir, 'shop.example', ['stats:read']);
    const reader = callerOf(server.url, 'shop.example', key);
    assert.equal((await reader.post('/api/v1/costs', { costs: [] })).status, 403);
  });

  it('refuses all costs of a request if one is wrong, and names every fault', async () => {
    const { status, body } = await send([
      { ...AUTUMN, amount: 7, currency: 'USD' },
      { ...AUTUMN, source: 'GOOGLE', amount: 7, currency: 'USD' },
      { date: '2026-02-30', source: ' ', amount: -1, currency: 'XXY' },
      { date: '2199-01-01', amount: 1e13, currency: 'USD' },
    ]);
    assert.equal(status, 400);
    const { details } = (body as { error: { details: { path: string; message: string }[] } }).error;
    assert.deepEqual(
      details.map(({ path }) => path),
      [
        ...['/costs/1', '/costs/2/amount', '/costs/2/date', '/costs/2/currency'],
        ...['/costs/3/source', '/costs/3/amount', '/costs/3/date'],
      ],
    );
    assert.match(details[0]?.message ?? '', /^has the same .* as costs\/0: send their sum once$/);
    assert.equal((await send([])).status, 400);
    assert.equal((await caller.post('/api/v1/costs', {})).status, 400);
  });
});
