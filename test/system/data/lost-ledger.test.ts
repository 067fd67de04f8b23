import assert from 'node:assert/strict';
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createKey } from '../../server/add-site.ts';
import { addCaller, type Caller } from '../../server/caller.ts';
import { makeDataDir, startServer, type TestServer } from '../../server/start-server.ts';
import { assertVerified } from '../../server/verify-data.ts';
import { waitUntil } from '../../server/wait-until.ts';

const FIRST_MAX_MS = 60_000;

describe('a server whose ledger is removed', () => {
  let dataDir: string;
  let server: TestServer;
  let caller: Caller;
  let taken: number;
  beforeEach(async () => {
    taken = 0;
    dataDir = makeDataDir();
    server = await startServer({ dataDir });
    caller = await addCaller(server.url, dataDir, 'example.com');
    assert.equal((await caller.pageview('v')).status, 200);
  });
  afterEach(async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true });
  });

  async function pay(): Promise<number> {
    const { status } = await caller.payment({
      ...{ amount: 5, currency: 'USD', service_visitor_id: 'v' },
      transaction_id: `t-${taken}`,
    });
    if (status === 200) taken += 1;
    return status;
  }

  /** Requests someone's erasure; returns the status. */
  async function createForget(): Promise<(visitor: string) => Promise<number>> {
    const key = await createKey(dataDir, 'example.com', ['visitors:delete']);
    const headers = { authorization: `Bearer ${key}` };
    return async (visitor) =>
      (await fetch(`${server.url}/api/v1/visitors/${visitor}`, { method: 'DELETE', headers }))
        .status;
  }

  /** Moves it away with its logs, or back. */
  function moveLedger(from: string, to: string): void {
    for (const name of readdirSync(dataDir).filter((name) => name.startsWith(from))) {
      renameSync(join(dataDir, name), join(dataDir, name.replace(from, to)));
    }
  }

  it('refuses payments until it is back, goes on with events, and loses none', async () => {
    const forget = await createForget();
    assert.equal(await pay(), 200);
    moveLedger('ledger.db', 'aside');
    await waitUntil(pay, (status) => status === 503, FIRST_MAX_MS);
    assert.equal((await caller.pageview('w')).status, 200);
    assert.equal(await forget('w'), 503);
    assert.equal(existsSync(join(dataDir, 'ledger.db')), false);
    assert.match(server.said(), /ledger\.db was removed or replaced while it was in use/);
    moveLedger('aside', 'ledger.db');
    await waitUntil(pay, (status) => status === 200, FIRST_MAX_MS);
    await server.stop();
    server = await startServer({ dataDir });
    caller = caller.at(server.url);
    const counted = async () =>
      ((await caller.query({ metrics: ['payments'] })).body as Counted).results[0]?.metrics[0];
    assert.equal(await waitUntil(counted, (payments) => payments === taken), taken);
    await assertVerified(dataDir);
  });

  it('says so when it starts without it', async () => {
    assert.doesNotMatch(server.said(), /ledger is missing/);
    await server.stop();
    moveLedger('ledger.db', 'aside');
    server = await startServer({ dataDir });
    assert.match(server.said(), /The ledger is missing/);
  });
});

type Counted = { readonly results: readonly { readonly metrics: readonly number[] }[] };
