import { setTimeout as sleep } from 'node:timers/promises';
import { type Chance, createChance } from '#cli/demo/chance.ts';
import { findPostgres, type PostgresOfTests, startPostgres } from '../../run/start-postgres.ts';
import { startLoad, tellStatuses } from '../load.ts';
import { createOracle } from '../oracle.ts';
import { recount, untilShipped } from '../recount.ts';
import { BACK_WITHIN_MS, createChecks, type Row, type RowPlan, type RowReport } from '../row.ts';
import { startTortureServer, type TortureServer } from '../torture-server.ts';

/** How much longer to wait for late recovery, to count what it holds. */
const PATIENCE_MS = 30_000;

const TARGETS = ['web', 'engine', 'supervisor', 'all', 'database', 'connections'] as const;
type Target = (typeof TARGETS)[number];
const OF_POSTGRES: ReadonlySet<Target> = new Set(['database', 'connections']);

/** T1: `kill -9` of each process at random instants under load. */
export const kills: Row = {
  id: 'T1',
  title: 'kill -9 of each process at random instants under load',
  unit: 'kills',
  quick: 20,
  full: 1_000,
  run: (plan) => killUnderLoad(plan),
};

/** T1P: the same with a ledger in PostgreSQL, of which the server and its connections are killed, too. */
export const killsOfPostgres: Row = {
  id: 'T1P',
  title: 'kill -9 as in T1 with the ledger in PostgreSQL, and of it and its connections',
  unit: 'kills',
  quick: 20,
  full: 1_000,
  findObstacle: () => (findPostgres() === undefined ? 'PostgreSQL is not installed' : undefined),
  async run(plan) {
    const postgres = (await startPostgres()) as PostgresOfTests;
    try {
      const env = { DATABASE_URL: await postgres.makeDatabase() };
      return await killUnderLoad(plan, env, postgres);
    } finally {
      await postgres.stop();
    }
  },
};

const HOLD_BACK = new URL('../faults/hold-back-commits.ts', import.meta.url).href;

/**
 * C1: the same with a journal that answers before its batch is on disk. The rules must then be broken: otherwise T1
 * would prove nothing.
 */
export const killsControl: Row = {
  id: 'C1',
  title: 'control of T1: with a journal that answers before the commit, the same row must fail',
  unit: 'kills',
  quick: 6,
  full: 20,
  async run(plan) {
    const { numbers, checks } = await killUnderLoad(plan, {
      NODE_OPTIONS: `--import=${HOLD_BACK}`,
    });
    const broken = checks.filter((check) => check.failure !== undefined).map(({ rule }) => rule);
    const control = createChecks();
    control.that(
      'acknowledged events are lost, and the row says so',
      broken.includes('no acknowledged event is lost'),
      'it held all the same',
    );
    return {
      numbers: { ...numbers, 'rules broken, as they must be': broken.length },
      checks: control.all,
    };
  },
};

async function killUnderLoad(
  { seed, amount, log }: RowPlan,
  env: Readonly<Record<string, string>> = {},
  postgres?: PostgresOfTests,
): Promise<RowReport> {
  const server = await startTortureServer({ env });
  const oracle = createOracle();
  const chance = createChance(seed, 0);
  const load = startLoad({
    server,
    oracle,
    seed,
    senders: 8,
    batch: 100,
    goals: 20,
    payments: 20,
  });
  const recoveriesMs: number[] = [];
  const sinceKillMs: number[] = [];
  const targets = TARGETS.filter((each) => postgres !== undefined || !OF_POSTGRES.has(each));
  const killed = Object.fromEntries(targets.map((target) => [target, 0]));
  try {
    for (let kill = 0; kill < amount; kill++) {
      const { target, afterMs } = planKill(chance, kill, targets);
      await sleep(afterMs);
      const from = performance.now();
      await killTarget(server, target, postgres);
      killed[target] = (killed[target] ?? 0) + 1;
      recoveriesMs.push(await server.untilReady(PATIENCE_MS));
      const tookMs = performance.now() - from;
      sinceKillMs.push(tookMs);
      log(`kill ${kill + 1} of ${amount}: ${target}, back after ${Math.round(tookMs)} ms`);
    }
    await load.end();
    await untilShipped(server);
    const checks = createChecks();
    const found = await recount(server, oracle, checks);
    const slowestServingMs = Math.round(Math.max(...recoveriesMs));
    const isBack = slowestServingMs <= BACK_WITHIN_MS;
    checks.that('it serves again within 5 s', isBack, `${slowestServingMs} ms`);
    const slowestMs = Math.round(Math.max(...sinceKillMs));
    checks.thatWhenQuiet(
      'from the kill on, a start included, it serves again within 5 s',
      slowestMs <= BACK_WITHIN_MS,
      `${slowestMs} ms`,
    );
    return {
      numbers: {
        kills: amount,
        ...killed,
        requests: load.figures.requests,
        answers: tellStatuses(load.figures),
        ...found,
        'slowest recovery, ms': slowestMs,
      },
      checks: checks.all,
    };
  } finally {
    await Promise.race([load.end(), sleep(1_000)]);
    await server.stop();
    server.cleanUp();
  }
}

/** Each target once, then random ones. */
function planKill(
  chance: Chance,
  number: number,
  targets: readonly Target[],
): { target: Target; afterMs: number } {
  const afterMs = chance.whole(0, 1_500);
  const weights = { web: 5, engine: 3, supervisor: 1, all: 1, database: 3, connections: 3 };
  const target = chance.pick<Target>(targets.map((each) => [weights[each], each]));
  return { target: targets[number] ?? target, afterMs };
}

async function killTarget(
  server: TortureServer,
  target: Target,
  postgres: PostgresOfTests | undefined,
): Promise<void> {
  switch (target) {
    case 'database':
      await postgres?.crash();
      return postgres?.start();
    case 'connections':
      return postgres?.endConnections();
    case 'all':
      await server.killAll();
      return server.startAgain();
    case 'supervisor':
      server.signal('supervisor', 'SIGKILL');
      return server.startAgain();
    case 'web':
    case 'engine':
      return killOne(server, target);
  }
}

/** Resolves when the process is gone, not only asked to stop. */
async function killOne(server: TortureServer, role: 'web' | 'engine'): Promise<void> {
  const pid = server.findPid(role);
  server.signal(role, 'SIGKILL');
  while (pid !== undefined && server.findPid(role) === pid) await sleep(5);
}
