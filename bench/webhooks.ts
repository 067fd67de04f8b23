import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { runCli, startServer } from '../test/server/start-server.ts';
import { type Aim, toAimsTable } from './aims.ts';
import { loadOf, prepareSite, runLoad, startLoadProcess, stopLoad } from './load-plan.ts';

const USAGE = `usage: npm run bench -- webhooks [options]

Sends signed events of Stripe in a burst, a checkout and a charge for each payment, while goals come at a steady rate; and
compares the goals with those before the burst.

  --count N      events (10000)
  --goals N      goals a second (200)
  --normal-ms MS how long goals come alone before (15000)
  --json         print one JSON value
`;

const SITE = 'bench.example';
const SECRET = 'whsec_0123456789abcdef01';
const VISITORS = 2_000;
const BURST_CONNECTIONS = 64;
const GOAL_CONNECTIONS = 16;
const PAGEVIEWS_MS = 3_000;
const PROCESSED_MAX_MS = 300_000;

export type WebhooksResult = {
  readonly webhooks: number;
  readonly notAnswered: number;
  readonly slowestMs: number;
  /** From the first request until the last answer, and until every event was processed. */
  readonly answeredMs: number;
  readonly processedMs: number;
  /** Each has two events. */
  readonly payments: number;
  readonly goalsP99Ms: { readonly normal: number; readonly meanwhile: number };
  readonly failedGoals: number;
};

type Options = { readonly count: number; readonly goals: number; readonly normalMs: number };

/** The command `npm run bench -- webhooks`. */
export async function runWebhooks(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      count: { type: 'string', default: '10000' },
      goals: { type: 'string', default: '200' },
      'normal-ms': { type: 'string', default: '15000' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return void process.stderr.write(USAGE);
  const options = {
    ...{ count: Number(values.count), goals: Number(values.goals) },
    normalMs: Number(values['normal-ms']),
  };
  const result = await benchWebhooks(options);
  process.stdout.write(values.json ? `${JSON.stringify(result)}\n` : toText(result));
}

/** Measures a burst of webhooks, and goals before and meanwhile. */
export async function benchWebhooks({ count, goals, normalMs }: Options): Promise<WebhooksResult> {
  const server = await startServer();
  const [goalLoad, burstLoad] = [startLoadProcess(), startLoadProcess()];
  const ledger = new DatabaseSync(join(server.dataDir, 'ledger.db'), { readOnly: true });
  try {
    const to = await prepareSite(server);
    const connect = ['provider', 'connect', 'stripe', '--site', SITE, '--signing-secret', SECRET];
    const { id } = await runCli<{ id: string }>(connect, server.dataDir);
    const plan = { connections: GOAL_CONNECTIONS, visitors: VISITORS, round: 0 };
    await runLoad(goalLoad, loadOf('pageviews', to, { ...plan, durationMs: PAGEVIEWS_MS }));
    const steady = { ...plan, perSecond: goals };
    const normal = await runLoad(
      goalLoad,
      loadOf('goals', to, { ...steady, durationMs: normalMs }),
    );

    const long = loadOf('goals', to, { ...steady, durationMs: PROCESSED_MAX_MS });
    const meanwhile = runLoad(goalLoad, long);
    const burst = {
      ...loadOf('webhooks', to, {
        ...plan,
        connections: BURST_CONNECTIONS,
        durationMs: PROCESSED_MAX_MS,
      }),
      ...{ path: `/webhooks/${id}`, requestsMax: count, secret: SECRET },
    };
    const startedAt = performance.now();
    const sent = await runLoad(burstLoad, burst);
    const payments = await untilProcessed(ledger);
    const processedMs = performance.now() - startedAt;
    stopLoad(goalLoad);
    const during = await meanwhile;
    return {
      ...{ webhooks: count, notAnswered: count - sent.requests + sent.failures },
      ...{ slowestMs: sent.slowestMs, answeredMs: sent.durationMs, processedMs, payments },
      goalsP99Ms: { normal: normal.p99Ms, meanwhile: during.p99Ms },
      failedGoals: normal.failures + during.failures,
    };
  } finally {
    goalLoad.kill();
    burstLoad.kill();
    ledger.close();
    await server.stop();
    server.cleanUp();
  }
}

/** Resolves when no event waits. Returns how many payments there are. */
async function untilProcessed(ledger: DatabaseSync): Promise<number> {
  const waiting = ledger.prepare("SELECT count(*) AS n FROM provider_events WHERE state = 'new'");
  const until = performance.now() + PROCESSED_MAX_MS;
  while (Number(waiting.get()?.n) > 0) {
    if (performance.now() > until) throw new Error('not everything was processed');
    await sleep(100);
  }
  return Number(ledger.prepare('SELECT count(stated_minor) AS n FROM payments').get()?.n);
}

function toText(result: WebhooksResult): string {
  const { webhooks, goalsP99Ms, payments } = result;
  const { normal, meanwhile } = goalsP99Ms;
  const expected = Math.ceil(webhooks / 2);
  const aims: Aim[] = [
    { figure: `of ${webhooks} webhooks not answered 200`, found: result.notAnswered, atMost: 0 },
    { figure: 'slowest answer, ms', found: result.slowestMs, atMost: 1_000 },
    { figure: 'until the last answer, s', found: result.answeredMs / 1_000 },
    { figure: 'until all were processed, s', found: result.processedMs / 1_000, atMost: 60 },
    { figure: 'payments', found: payments, atLeast: expected, atMost: expected },
    { figure: 'p99 of goals before, ms', found: normal },
    { figure: 'p99 of goals meanwhile, ms', found: meanwhile },
    { figure: 'the second to the first', found: meanwhile / normal, atMost: 2 },
    { figure: 'goals that failed', found: result.failedGoals, atMost: 0 },
  ];
  return toAimsTable(aims);
}
