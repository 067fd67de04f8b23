import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { addCaller, type Caller } from '../../server/caller.ts';
import { makeDataDir, runCli, startServer, type TestServer } from '../../server/start-server.ts';
import { assertVerified } from '../../server/verify-data.ts';
import { waitUntil } from '../../server/wait-until.ts';

/** Several batches, each with a number that a new file would assign again. */
const ROUNDS = 3;

describe('a server that has lost its journal', () => {
  let dataDir: string;
  let server: TestServer;
  let caller: Caller;
  beforeEach(async () => {
    dataDir = makeDataDir();
    server = await startServer({ dataDir });
    caller = await addCaller(server.url, dataDir, 'example.com');
  });
  afterEach(async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true });
  });

  async function report(run: string): Promise<void> {
    for (let round = 0; round < ROUNDS; round += 1) {
      assert.equal((await caller.pageview(`${run}-${round}`)).status, 200);
      assert.equal((await caller.goal(`${run}-${round}`, 'signup', `${run}-${round}`)).status, 200);
      await waitUntil(counted, ([pageviews]) => pageviews === shipped + round + 1);
    }
    shipped += ROUNDS;
  }
  let shipped = 0;
  beforeEach(() => {
    shipped = 0;
  });

  function lose(): void {
    const folder = join(dataDir, 'journal');
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  }

  async function counted(): Promise<number[]> {
    const { body } = await caller.query({ metrics: ['pageviews', 'conversions'] });
    return (body as { results: { metrics: number[] }[] }).results[0]?.metrics ?? [];
  }

  async function restartAfter(loss: () => void): Promise<void> {
    assert.equal(await server.stop(), 0);
    loss();
    server = await startServer({ dataDir });
    caller = caller.at(server.url);
  }

  it('takes in what comes after', async () => {
    await report('before');
    await restartAfter(lose);
    await report('after');
    assert.deepEqual(await waitUntil(counted, ([, goals]) => goals === 6), [6, 6]);
    await assertVerified(dataDir);
  });

  it('while it runs begins a new file, and loses nothing', async () => {
    await report('before');
    lose();
    await report('after');
    await server.kill(); // The new file's batches are there though nothing was shipped in order.
    server = await startServer({ dataDir });
    caller = caller.at(server.url);
    await report('finally');
    await assertVerified(dataDir);
  });

  it('knows what was erased before', async () => {
    await report('before');
    await runCli(['visitor', 'delete', 'before-0', '--site', 'example.com'], dataDir);
    const isErased = ([pageviews]: number[]) => pageviews === ROUNDS - 1;
    await waitUntil(counted, isErased);
    await restartAfter(lose);
    shipped -= 1;
    await report('after');
    await assertVerified(dataDir);
  });
});
