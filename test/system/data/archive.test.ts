import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import { readEventLine } from '#contract/rows/event-lines.ts';
import { listArchive } from '#journal/archive/read-archive.ts';
import { addCaller } from '../../server/caller.ts';
import { makeDataDir, startServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

describe('the archive of a server', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = makeDataDir();
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  async function serveSomeEvents(env: Readonly<Record<string, string>>): Promise<string> {
    const server = await startServer({ dataDir, env });
    const caller = await addCaller(server.url, dataDir, 'example.com');
    for (const path of ['/1', '/2']) assert.equal((await caller.pageview('v-1', path)).status, 200);
    assert.equal((await caller.goal('v-1', 'signup')).status, 200);
    assert.equal((await caller.goal('v-1', 'keyed', 'key-1')).status, 200);
    // A stop waits five seconds for shipping, which a busy machine may need more for.
    const count = () => caller.query({ metrics: ['pageviews', 'conversions'] });
    await waitUntil(count, ({ body }) => JSON.stringify(body).includes('"metrics":[2,2]'));
    assert.equal(await server.stop(), 0);
    return join(dataDir, 'archive');
  }

  it('holds every event once, those of the ledger’s outbox too', async () => {
    const folder = await serveSomeEvents({});
    const events = listArchive(folder)
      .map(({ path }) => zstdDecompressSync(readFileSync(join(folder, path))).toString())
      .flatMap((lines) => lines.trimEnd().split('\n'))
      .map(readEventLine);
    const names = events.map(({ name, path }) => name ?? path);
    assert.deepEqual(names.toSorted(), ['/1', '/2', 'keyed', 'signup']);
  });

  it('has but a note of that when it shall keep nothing', async () => {
    assert.deepEqual(readdirSync(await serveSomeEvents({ ARCHIVE_DAYS: '0' })), ['kept-from']);
  });
});
