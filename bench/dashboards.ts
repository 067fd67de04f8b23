import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { dataPathsOf } from '#processes/paths.ts';
import { createWarehouse } from '#warehouse/client.ts';
import { type LiveClient, listen } from '../test/server/listen-live.ts';
import { runCli, startServer, type TestServer } from '../test/server/start-server.ts';
import { DASHBOARD } from './dashboard.ts';
import { type LoadResult, loadOf, prepareSite, runLoad, startLoadProcess } from './load-plan.ts';
import { makeHistory } from './make-history.ts';

const USAGE = `usage: npm run bench -- dashboards [options]

  --dashboards N   dashboards that are open (8)
  --events N       events of the site's history (1000000)
  --per-second N   goals that come meanwhile (500)
  --rounds N       pairs of rounds, one without and one with dashboards (3)
  --round-ms MS    how long each lasts (10000)
  --json           print one JSON value
`;

/** How often an open dashboard asks all of its questions again, and who is there. */
const REFRESH_MS = 10_000;
const LIVE_MS = 5_000;
const SITE = 'bench.example';
const VISITORS = 500;
const CONNECTIONS = 32;
const WARM_MS = 3_000;

type Side = { readonly p50Ms: number; readonly p99Ms: number; readonly failures: number };
type Asked = { answered: number; refused: number; slowestMs: number; heard: number };
type Result = {
  readonly dashboards: number;
  readonly events: number;
  readonly perSecond: number;
  readonly without: Side;
  readonly with: Side;
  readonly ratio: number;
  readonly asked: Asked;
};

/** How much later goals are answered while dashboards are open: p99 with them, against without. */
export async function runDashboards(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      dashboards: { type: 'string', default: '8' },
      events: { type: 'string', default: '1000000' },
      'per-second': { type: 'string', default: '500' },
      rounds: { type: 'string', default: '3' },
      'round-ms': { type: 'string', default: '10000' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stderr.write(USAGE);
    return;
  }
  // Eight dashboards of one key ask more than a key may by default.
  const server = await startServer({ env: { RATE_LIMIT_READS: '0' } });
  const child = startLoadProcess();
  try {
    const site = await prepareSite(server);
    const events = await makeSiteHistory(server, Number(values.events));
    const rounds: LoadResult[][] = [[], []];
    const asked: Asked = { answered: 0, refused: 0, slowestMs: 0, heard: 0 };
    const perSecond = Number(values['per-second']);
    const goals = (round: number, durationMs = Number(values['round-ms'])) =>
      runLoad(child, loadOf('goals', site, { ...planOf(round, durationMs), perSecond }));
    const besideDashboards = async (work: () => Promise<LoadResult>) => {
      const open = Array.from({ length: Number(values.dashboards) }, () =>
        openDashboard(server.url, site.key, asked),
      );
      const result = await work();
      await Promise.all(open.map((dashboard) => dashboard.close()));
      return result;
    };
    await runLoad(child, loadOf('pageviews', site, planOf(0, WARM_MS))); // Goals need one.
    await goals(0, WARM_MS);
    await besideDashboards(() => goals(1, WARM_MS));
    for (let round = 1; round <= Number(values.rounds); round += 1) {
      rounds[0]?.push(await goals(2 * round));
      rounds[1]?.push(await besideDashboards(() => goals(2 * round + 1)));
    }
    const [without, withThem] = rounds.map(toSide) as [Side, Side];
    const result: Result = {
      dashboards: Number(values.dashboards),
      events,
      perSecond,
      without,
      with: withThem,
      ratio: withThem.p99Ms / without.p99Ms,
      asked,
    };
    process.stdout.write(values.json ? `${JSON.stringify(result)}\n` : toText(result));
  } finally {
    child.kill();
    await server.stop();
    server.cleanUp();
  }
}

/** Resolves with how many events there are. */
async function makeSiteHistory(server: TestServer, events: number): Promise<number> {
  const [site] = await runCli<{ id: string }[]>(['site', 'list'], server.dataDir);
  const { warehouseSocket } = dataPathsOf(server.dataDir);
  const warehouse = createWarehouse({ kind: 'embedded', socketPath: warehouseSocket });
  const history = { siteId: site?.id ?? '', events, seed: 1, endsAt: Date.now() };
  const made = await makeHistory(warehouse, history);
  await warehouse.close();
  return made.events;
}

function planOf(round: number, durationMs: number) {
  return { connections: CONNECTIONS, visitors: VISITORS, round, durationMs };
}

/** One that asks everything as it opens and now and then again, and listens. */
function openDashboard(url: string, key: string, asked: Asked) {
  const closing = new AbortController();
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  let stream: LiveClient | undefined;

  async function ask(path: string, body?: object): Promise<void> {
    const startedAt = performance.now();
    const sent = { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) };
    const answer = await fetch(`${url}/api/v1/${path}`, sent);
    await answer.arrayBuffer();
    asked[answer.ok ? 'answered' : 'refused'] += 1;
    asked.slowestMs = Math.max(asked.slowestMs, performance.now() - startedAt);
  }

  async function every(ms: number, work: () => Promise<unknown>): Promise<void> {
    while (!closing.signal.aborted) {
      await work();
      await sleep(ms, undefined, { signal: closing.signal }).catch(() => {});
    }
  }

  const askAll = () =>
    Promise.all(
      Object.values(DASHBOARD).map((toQuery) =>
        ask('query', { site_id: SITE, ...toQuery(30, Date.now()) }),
      ),
    );
  const listening = listen(url, key).then((client) => {
    stream = client;
  });
  const asking = Promise.all([every(REFRESH_MS, askAll), every(LIVE_MS, () => ask('live'))]);
  return {
    async close() {
      closing.abort();
      await Promise.all([asking, listening]);
      asked.heard += stream?.messages('event').length ?? 0;
      stream?.close();
    },
  };
}

function toSide(rounds: readonly LoadResult[]): Side {
  const median = (values: readonly number[]) =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  return {
    p50Ms: median(rounds.map((round) => round.p50Ms)),
    p99Ms: median(rounds.map((round) => round.p99Ms)),
    failures: rounds.reduce((sum, round) => sum + round.failures, 0),
  };
}

function toText({ dashboards, events, perSecond, without, with: withThem, ratio, asked }: Result) {
  const row = (name: string, { p50Ms, p99Ms, failures }: Side) =>
    `| ${name} | ${p50Ms.toFixed(1)} ms | ${p99Ms.toFixed(1)} ms | ${failures} |\n`;
  return `${perSecond} goals a second; a history of ${events.toLocaleString('en')} events; medians of the rounds.

| goals | p50 | p99 | failures |
|---|---|---|---|
${row('without', without)}${row(`with ${dashboards} dashboards`, withThem)}
p99 is ${ratio.toFixed(1)} times as long. The dashboards had ${asked.answered} answers (${asked.refused} refused), the slowest after ${asked.slowestMs.toFixed(0)} ms, and heard ${asked.heard} events.
`;
}
