import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { makeDataDir, runCli, startServer, type TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

/** A data directory of commit 36ccd374: a shop with a few payments and refunds. */
const FIXTURE = new URL('../../fixtures/data-of-36ccd374.tgz', import.meta.url).pathname;

describe('a server on the data of an older version', () => {
  let dataDir: string;
  let server: TestServer;
  before(async () => {
    dataDir = makeDataDir();
    execFileSync('tar', ['-xzf', FIXTURE, '-C', dataDir, '--strip-components=1']);
    server = await startServer({ dataDir });
  });
  after(async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true });
  });

  it('answers about money once all of it is converted, and never less', async () => {
    const [site] = await runCli<{ id: string; domain: string }[]>(['site', 'list'], dataDir);
    const { key } = await runCli<{ key: string }>(
      ['key', 'create', '--site', site?.domain ?? ''],
      dataDir,
    );
    const ask = () =>
      fetch(`${server.url}/api/v1/query`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          ...{ site_id: site?.id, date_range: 'all' },
          metrics: ['gross_revenue', 'refunds', 'payments'],
        }),
      });
    const answer = await waitUntil(ask, ({ status }) => status !== 503 && status !== 401);
    const { results } = (await answer.json()) as { results: { metrics: { value: string }[] }[] };
    const [gross, refunds, payments] = results[0]?.metrics ?? [];
    assert.deepEqual([refunds?.value, payments], ['19.50', 3]);
    assert.ok(Number(gross?.value) > 39.5, `${gross?.value}`); // And four dollars.
  });
});
