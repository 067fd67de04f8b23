import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { runCli, startServer } from '../test/server/start-server.ts';
import { type Aim, toAimsTable } from './aims.ts';
import { loadOf, prepareSite, runLoad, startLoadProcess, stopLoad } from './load-plan.ts';
import { median } from './median.ts';

const USAGE = `usage: npm run bench -- webhooks [options]

Sends signed events of Stripe in a burst, a checkout and a charge for each payment, while goals come at a steady rate; and
compares the goals with those before the burst. What is printed is the median round: a round has few goals, and one that
waits for a slow disk is more than a hundredth of them.

  --count N      events (10000)
  --goals N      goals a second (200)
  --normal-ms MS how long goals come alone before (5000)
  --rounds N     bursts (5)
  --json         print one JSON value
`;

const SITE = 'bench.example';
const SECRET = 'whsec_0123456789abcdef01';
const VISITORS = 2_000;
const BURST_CONNECTIONS = 64;
const GOAL_CONNECTIONS = 16;
const PAGEVIEWS_MAX_MS = 60_000;
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

type Options = Readonly<Record<'count' | 'goals' | 'normalMs' | 'rounds', number>>;

/** The command `npm run bench -- webhooks`. */
export async function runWebhooks(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      count: { type: 'string', default: '10000' },
      goals: { type: 'string', default: '200' },
      'normal-ms': { type: 'string', default: '5000' },
      rounds: { type: 'string', default: '5' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return void process.stderr.write(USAGE);
  const options = {
    ...{ count: Number(values.count), goals: Number(values.goals) },
    ...{ normalMs: Number(values['normal-ms']), rounds: Number(values.rounds) },
  };
  const result = await benchWebhooks(options);
  process.stdout.write(values.json ? `${JSON.stringify(result)}\n` : toText(result));
}

/** Measures bursts of webhooks, and goals before and meanwhile. */
export async function benchWebhooks(options: Options): Promise<WebhooksResult> {
  const server = await startServer();
  const loads = { goals: startLoadProcess(), burst: startLoadProcess() };
  const ledger = new DatabaseSync(join(server.dataDir, 'ledger.db'), { readOnly: true });
  try {
    const to = await prepareSite(server);
    const connect = ['provider', 'connect', 'stripe', '--site', SITE, '--signing-secret', SECRET];
    const { id } = await runCli<{ id: string }>(connect, server.dataDir);
    const visitors = { connections: GOAL_CONNECTIONS, visitors: VISITORS, round: 0 };
    const pageviews = loadOf('pageviews', to, { ...visitors, durationMs: PAGEVIEWS_MAX_MS });
    await runLoad(loads.goals, { ...pageviews, requestsMax: VISITORS });
    const rounds: Round[] = [];
    for (let round = 0; round < options.rounds; round++) {
      rounds.push(await runRound({ ...options, ...{ to, loads, ledger, round, visitors, id } }));
    }
    return toResult(options, rounds, countPayments(ledger));
  } finally {
    loads.goals.kill();
    loads.burst.kill();
    ledger.close();
    await server.stop();
    server.cleanUp();
  }
}

type RoundOptions = Options & {
  readonly to: Awaited<ReturnType<typeof prepareSite>>;
  readonly loads: Readonly<Record<'goals' | 'burst', ReturnType<typeof startLoadProcess>>>;
  readonly ledger: DatabaseSync;
  readonly round: number;
  readonly visitors: { readonly connections: number; visitors: number; round: number };
  /** The connection's. */
  readonly id: string;
};
type Round = Awaited<ReturnType<typeof runRound>>;

/** Goals alone, and then goals and a burst. */
async function runRound(options: RoundOptions) {
  const { to, loads, ledger, round, visitors, id, count, goals, normalMs } = options;
  const goalsFor = (durationMs: number) =>
    loadOf('goals', to, { ...visitors, perSecond: goals, durationMs });
  const alone = await runLoad(loads.goals, goalsFor(normalMs));

  const meanwhile = runLoad(loads.goals, goalsFor(PROCESSED_MAX_MS));
  const plan = { ...visitors, round, connections: BURST_CONNECTIONS, durationMs: PROCESSED_MAX_MS };
  const startedAt = performance.now();
  const sent = await runLoad(loads.burst, {
    ...loadOf('webhooks', to, plan),
    ...{ path: `/webhooks/${id}`, requestsMax: count, secret: SECRET },
  });
  await untilProcessed(ledger);
  const processedMs = performance.now() - startedAt;
  stopLoad(loads.goals);
  return { alone, sent, processedMs, during: await meanwhile };
}

/** The median of each figure; nothing may fail in any round. */
function toResult(
  { count, rounds: total }: Options,
  rounds: readonly Round[],
  payments: number,
): WebhooksResult {
  const middle = (figure: (round: Round) => number) => median(rounds.map(figure));
  const sum = (figure: (round: Round) => number) =>
    rounds.reduce((all, round) => all + figure(round), 0);
  return {
    ...{ webhooks: count * total, payments },
    notAnswered: sum(({ sent }) => count - sent.requests + sent.failures),
    slowestMs: Math.max(...rounds.map(({ sent }) => sent.slowestMs)),
    answeredMs: middle(({ sent }) => sent.durationMs),
    processedMs: middle((round) => round.processedMs),
    goalsP99Ms: {
      normal: middle(({ alone }) => alone.p99Ms),
      meanwhile: middle(({ during }) => during.p99Ms),
    },
    failedGoals: sum(({ alone, during }) => alone.failures + during.failures),
  };
}

/** Resolves when no event waits. */
async function untilProcessed(ledger: DatabaseSync): Promise<void> {
  const waiting = ledger.prepare("SELECT count(*) AS n FROM provider_events WHERE state = 'new'");
  const until = performance.now() + PROCESSED_MAX_MS;
  while (Number(waiting.get()?.n) > 0) {
    if (performance.now() > until) throw new Error('not everything was processed');
    await sleep(100);
  }
}

function countPayments(ledger: DatabaseSync): number {
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
