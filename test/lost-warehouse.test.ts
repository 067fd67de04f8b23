import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { describe, it } from 'node:test';
import { dataPathsOf } from '#processes/paths.ts';
import { startServer } from './start-server.ts';
import { copyShopForEach } from './stopped-shop.ts';
import { waitUntil } from './wait-until.ts';

describe('a start', () => {
  const copied = copyShopForEach();

  /** What the server says of events that are lost, within so long. */
  async function startAndStop(lookMs: number): Promise<string[]> {
    const server = await startServer({ dataDir: copied.shop.dataDir });
    const lines = () => server.said().split('\n');
    const lost = () => lines().filter((line) => line.includes('the warehouse lost events'));
    await waitUntil(
      async () => lost().length,
      (count) => count > 0,
      lookMs,
    ).catch(() => {});
    await server.stop();
    return lost();
  }

  it('tells that the warehouse lost what was shipped to it', async () => {
    rmSync(dataPathsOf(copied.shop.dataDir).warehouse, { recursive: true });
    const [told] = await startAndStop(15_000);
    assert.match(told ?? '', /"lack":"it has 0 of at least 6 events"/);
  });

  it('has nothing to tell when nothing is lost', async () => {
    assert.deepEqual(await startAndStop(1_500), []);
  });
});
