import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { addCaller, type Caller } from '../../server/caller.ts';
import { startServer, type TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

describe('readiness', () => {
  let server: TestServer;
  let caller: Caller;
  before(async () => {
    server = await startServer();
    caller = await addCaller(server.url, server.dataDir, 'example.com');
  });
  after(async () => {
    await server.stop();
    server.cleanUp();
  });

  const ready = async () => {
    const answer = await fetch(`${server.url}/readyz`);
    const { error } = (await answer.json()) as { error?: { message: string } };
    return { status: answer.status, message: error?.message };
  };

  it('says why when the ledger is gone, and recovers with it', async () => {
    assert.equal((await ready()).status, 200);
    const ledger = join(server.dataDir, 'ledger.db');
    renameSync(ledger, `${ledger}.away`);
    const found = await waitUntil(ready, ({ status }) => status === 503);
    assert.match(found.message ?? '', /ledger/i);
    assert.equal(
      (await caller.payment({ amount: 1, currency: 'USD', transaction_id: 't' })).status,
      503,
    );
    renameSync(`${ledger}.away`, ledger);
    await waitUntil(ready, ({ status }) => status === 200);
  });
});
