import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { addCaller, type Caller } from '../../server/caller.ts';
import { makeDataDir, runCli, startServer, type TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

type Shown = Record<'first' | 'last', string> & {
  readonly currencies: string[];
  readonly current: string[];
  readonly others?: { readonly last: string; readonly currencies: string[] };
};
type Money = { results?: { metrics: { value: string; currency: string }[] }[] };

describe('exchange rates', () => {
  let dataDir: string;
  let server: TestServer;
  let caller: Caller;
  before(async () => {
    dataDir = makeDataDir();
    const table = join(dataDir, 'newer.csv');
    writeFileSync(table, 'Date,USD,JPY,\n2026-10-05,1.2500,N/A,\n2024-02-29,1.0,N/A,\n');
    const shown = await runCli<Shown>(['rates', 'update', table], dataDir);
    assert.equal(shown.last, '2026-10-05');
    server = await startServer({ dataDir });
    caller = await addCaller(server.url, dataDir, 'example.com');
  });
  after(async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true });
  });

  it('come with the program, and are updated from a file', async () => {
    const shown = await runCli<Shown>(['rates', 'show'], dataDir);
    assert.equal(shown.first, '1999-12-20');
    assert.ok(shown.currencies.includes('GBP'));
    assert.deepEqual(shown.current, ['EUR', 'USD']);
  });
  it('refuse what is no table, and keep what they were', async () => {
    const bad = join(dataDir, 'bad.csv');
    writeFileSync(bad, '<!doctype html>');
    await assert.rejects(
      runCli(['rates', 'update', bad], dataDir),
      /bad\.csv is not a table of exchange rates\. A table of rates begins with/,
    );
    await assert.rejects(runCli(['rates', 'update'], dataDir), /give either a file with the table/);
    assert.equal((await runCli<Shown>(['rates', 'show'], dataDir)).last, '2026-10-05');
  });
  it('are not those of a day to come', async () => {
    const table = join(dataDir, 'to-come.csv');
    writeFileSync(table, 'Date,USD\n2199-01-02,1.5\n2026-10-06,1.5\n');
    await assert.rejects(
      runCli(['rates', 'update', table], dataDir),
      /to-come\.csv has rates of 2199-01-02, a day that is yet to come\./,
    );
    assert.equal((await runCli<Shown>(['rates', 'show'], dataDir)).last, '2026-10-05');
  });
  it('of currencies that the ECB does not quote come from another table, and never win', async () => {
    const days = join(dataDir, 'eur.json');
    writeFileSync(
      days,
      '{"date": "2026-10-05", "eur": {"ngn": 1790.504, "usd": 9, "btc": 0.00001}}',
    );
    const { last, others } = await runCli<Shown>(['rates', 'update', days], dataDir);
    assert.deepEqual([last, others], ['2026-10-05', { last: '2026-10-05', currencies: ['NGN'] }]);
    const table = readFileSync(join(dataDir, 'rates-other.csv'), 'utf8');
    assert.match(table, /^Date,NGN,USD\n2026-10-05,1790\.504,9\n$/m);
  });
  it('convert payments of a server that runs', async () => {
    const paid = await caller.payment({
      ...{ transaction_id: 't-1', amount: 100, currency: 'EUR' },
      timestamp: '2026-10-06T10:00:00Z',
    });
    assert.equal(paid.status, 200);
    const revenueOf = ({ body }: { body: unknown }) =>
      (body as Money).results?.[0]?.metrics[0]?.value;
    await waitUntil(
      () => caller.query({ metrics: ['revenue'] }),
      (answer) => revenueOf(answer) === '125.00',
    );
    await caller.payment({
      ...{ transaction_id: 't-2', amount: 17905.04, currency: 'NGN' },
      timestamp: '2026-10-06T10:00:00Z',
    });
    await waitUntil(
      () => caller.query({ metrics: ['revenue'] }),
      (answer) => revenueOf(answer) === '137.50', // At 1.25 dollars, not at 9.
    );
  });
  it('convert payments again when the currency of their site changes', async () => {
    await runCli(['site', 'set', 'example.com', '--currency', 'EUR'], dataDir);
    const moneyOf = ({ body }: { body: unknown }) => (body as Money).results?.[0]?.metrics[0];
    const seen = new Set<string>();
    await waitUntil(
      () => caller.query({ metrics: ['revenue'] }),
      (answer) => {
        const { value, currency } = moneyOf(answer) ?? {};
        seen.add(`${value} ${currency}`);
        return currency === 'EUR';
      },
    );
    assert.deepEqual([...seen], ['137.50 USD', '110.00 EUR']);
  });
});
