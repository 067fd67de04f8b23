import assert from 'node:assert/strict';
import { it } from 'node:test';
import { addCaller } from '../../server/caller.ts';
import { runCli, startServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

type Verified = { verified: boolean; counts: { what: string; found: string }[] };

it('an erasure takes what a visitor did in every web process, which all forget them', async () => {
  const server = await startServer({ env: { WEB_CONCURRENCY: '2' } });
  try {
    const { dataDir, url } = server;
    const caller = await addCaller(url, dataDir, 'example.com');
    const verify = () => runCli<Verified>(['verify'], dataDir);
    const inJournals = ({ counts }: Verified) =>
      counts.filter(({ what }) => /^events of journal \d$/.test(what)).map(({ found }) => found);

    // Each request has a connection of its own, which the kernel gives to either process.
    let sent = 0;
    for (; sent < 40; sent++) await caller.pageview('anna', `/${sent}`);
    await caller.pageview('ben');
    const shipped = await waitUntil(
      verify,
      (found) => inJournals(found).reduce((sum, rows) => sum + Number(rows), 0) === sent + 1,
      20_000,
    );
    assert.equal(inJournals(shipped).length, 2, 'both have taken some');

    const key = ['key', 'create', '--site', 'example.com', '--scopes', 'visitors:delete'];
    const made = await runCli<{ key: string }>(key, dataDir);
    const answer = await fetch(`${url}/api/v1/visitors/anna`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${made.key}` },
    });
    const { erasure } = (await answer.json()) as {
      erasure: { state: string; counts: Record<string, number> };
    };
    const { events, archived_events } = erasure.counts;
    assert.deepEqual([erasure.state, events, archived_events], ['done', sent, sent]);

    assert.equal((await verify()).verified, true);
    await waitUntil(
      () => Promise.all(Array.from({ length: 12 }, () => caller.goal('anna', 'signup'))),
      (goals) => goals.every(({ status }) => status === 404),
      10_000,
    );
    assert.equal((await caller.goal('ben', 'signup')).status, 200);
  } finally {
    await server.stop();
    server.cleanUp();
  }
});
