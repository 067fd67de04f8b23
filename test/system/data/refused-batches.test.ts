import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openJournalFiles } from '#journal/journal-files.ts';
import { dataPathsOf } from '#processes/paths.ts';
import { createKey } from '../../server/add-site.ts';
import { addCaller, type Caller, callerOf } from '../../server/caller.ts';
import { readMetrics } from '../../server/read-metrics.ts';
import { runCli, startServer, type TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

const SITE = 'example.com';
const MONTHS = 101;

describe('a batch that the warehouse cannot read', () => {
  let server: TestServer;
  let caller: Caller;
  let key: string;

  before(async () => {
    server = await startServer();
    caller = await addCaller(server.url, server.dataDir, SITE);
    key = await createKey(server.dataDir, SITE);
  });
  after(async () => {
    await server.stop();
    server.cleanUp();
  });

  async function untilEvents(count: number): Promise<void> {
    await waitUntil(
      () => caller.query({ metrics: ['events'], date_range: ['2000-01-01', '2030-01-01'] }),
      ({ body }) =>
        (body as { results?: { metrics: number[] }[] }).results?.[0]?.metrics[0] === count,
    );
  }

  it('is none of an import over more months than the engine takes by default', async () => {
    const events = Array.from({ length: MONTHS }, (_, month) => ({
      site: SITE,
      type: 'pageview',
      url: `https://${SITE}/`,
      service_visitor_id: 'ada',
      occurred_at: Date.UTC(2010, month, 2),
      user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    }));
    const answer = await fetch(`${server.url}/api/v1/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ events }),
    });
    assert.equal(((await answer.json()) as { accepted: number }).accepted, MONTHS);
    await untilEvents(MONTHS);
  });

  it('is set aside and told, and what came after it is shipped', async () => {
    await server.stop();
    addBatch(dataPathsOf(server.dataDir).journals, '{"event_id":"no id at all"}\n');
    const { dataDir } = server;
    server = await startServer({ dataDir });
    caller = callerOf(server.url, SITE, key);
    await waitUntil(
      () => caller.pageview('ben', '/'),
      ({ status }) => status === 200,
    );
    await untilEvents(MONTHS + 1);

    const metrics = await readMetrics(server);
    assert.match(metrics, /^tributary_journal_set_aside_batches 1$/m);
    await assert.rejects(runCli(['verify'], dataDir), told(/set aside/));
    await assert.rejects(runCli(['doctor'], dataDir), told(/1 batches set aside/));
  });
});

function addBatch(journals: string, lines: string): void {
  const journal = openJournalFiles(journals);
  journal.append([{ seq: journal.lastSeq + 1, rows: 1, lines }]);
  journal.close();
}

/** A failing command still prints its findings. */
function told(pattern: RegExp) {
  return (error: { stdout?: string }) => pattern.test(error.stdout ?? '');
}
