import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { newUuid } from '#ingest/new-uuid.ts';
import { startServer, type TestServer } from '../../server/start-server.ts';
import { send, startLoad } from '../../torture/load.ts';
import { createOracle, type Oracle } from '../../torture/oracle.ts';
import { recount, untilShipped } from '../../torture/recount.ts';
import { createChecks } from '../../torture/row.ts';
import { SITE, startTortureServer, type TortureServer } from '../../torture/torture-server.ts';

const AT_ONCE = 20;
const LOAD_MS = 800;
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

for (const webs of [1, 2, 4]) {
  describe(`the work of ${webs} web processes`, () => {
    let server: TortureServer | undefined;
    let fewer: TestServer | undefined;
    afterEach(async () => {
      await fewer?.stop();
      await server?.stop();
      server?.cleanUp();
      [server, fewer] = [undefined, undefined];
    });

    it('counts once when one is killed and fewer are started again', async () => {
      server = await startTortureServer({ env: { WEB_CONCURRENCY: String(webs) } });
      assert.equal(findWebs(server).length, webs);
      const oracle = createOracle();
      const load = startLoad({
        ...{ server, oracle, senders: 6, batch: 30, goals: 20, payments: 20 },
        seed: webs,
        stream: 0,
      });
      await sleep(LOAD_MS);
      await assertGoalsAtOnce(server, oracle, 'at-once');
      server.signal('engine', 'SIGKILL'); // The processes then have each other only.
      await assertGoalsAtOnce(server, oracle, 'engine-away');
      await killOne(server, webs);
      await sleep(LOAD_MS);
      await server.killAll();
      const { dataDir, port } = server;
      const used = readdirSync(join(dataDir, 'journal')).filter((name) => name.endsWith('.db'));
      assert.equal(used.length, webs);
      fewer = await startServer({ dataDir, env: { PORT: String(port), RATE_LIMIT_READS: '0' } });
      await load.end();
      await untilShipped(server);
      for (const name of used) assert.ok(countShipped(join(dataDir, 'journal', name)) > 0);
      const checks = createChecks();
      await recount(server, oracle, checks);
      assert.deepEqual(
        checks.all.filter(({ failure }) => failure !== undefined),
        [],
      );
    });
  });
}

/** A visitor's goal right behind the pageview, on another connection, and many visitors at once. */
async function assertGoalsAtOnce(
  server: TortureServer,
  oracle: Oracle,
  name: string,
): Promise<void> {
  const agent = new Agent({ keepAlive: false }); // The kernel picks a process for each connection.
  const statuses = await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, index) => {
      const service_visitor_id = `${name}-${index}`;
      const event_id = newUuid(Date.now());
      const page = { site: SITE, type: 'pageview', url: `https://${SITE}/`, event_id };
      oracle.sendEvent(event_id);
      const seen = await send(
        ...([agent, server, '/api/v1/events'] as const),
        JSON.stringify({ ...page, service_visitor_id }),
        { authorization: '', 'user-agent': BROWSER },
      );
      if (seen.status === 200) oracle.acknowledgeEvent(event_id);
      const goal = JSON.stringify({ service_visitor_id, name: 'signup' });
      const reached = await send(agent, server, '/api/v1/goals', goal);
      const { data = [] } = JSON.parse(reached.body) as { data?: { eventId: string }[] };
      for (const { eventId } of data) {
        oracle.sendEvent(eventId);
        oracle.acknowledgeEvent(eventId);
      }
      return `${seen.status} ${reached.status}`;
    }),
  );
  assert.deepEqual([...new Set(statuses)], ['200 200']);
}

/** The others go on serving meanwhile, and it is started again. */
async function killOne(server: TortureServer, webs: number): Promise<void> {
  const [victim] = findWebs(server);
  assert.ok(victim !== undefined);
  process.kill(victim, 'SIGKILL');
  if (webs > 1) {
    await untilGone(victim);
    const agent = new Agent({ keepAlive: false });
    const asked = Array.from({ length: 8 }, () => send(agent, server, '/api/v1/query', '{}'));
    for (const { status } of await Promise.all(asked)) assert.equal(status, 400);
  }
  while (findWebs(server).length < webs) await sleep(20);
}

function findWebs(server: TortureServer): number[] {
  const supervisor = server.findPid('supervisor');
  const children = readFileSync(`/proc/${supervisor}/task/${supervisor}/children`, 'utf8');
  return children
    .split(' ')
    .filter((pid) => pid !== '')
    .map(Number)
    .filter((pid) => readCommand(pid).includes('processes/web.ts'));
}

function readCommand(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // It ended meanwhile.
  }
}

/** Its sockets are closed once its parent has been told. */
async function untilGone(pid: number): Promise<void> {
  while (existsSync(`/proc/${pid}`)) await sleep(5);
}

function countShipped(path: string): number {
  const db = new DatabaseSync(path, { readOnly: true });
  const row = db.prepare('SELECT shipped_rows FROM totals').get();
  db.close();
  return Number(row?.shipped_rows);
}
