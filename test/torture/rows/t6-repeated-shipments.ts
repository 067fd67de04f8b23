import { setTimeout as sleep } from 'node:timers/promises';
import { createChance } from '#cli/demo/chance.ts';
import { makeDataDir } from '../../server/start-server.ts';
import { startForgetfulWarehouse } from '../faults/forgetful-warehouse.ts';
import { startLoad, tellStatuses } from '../load.ts';
import { createOracle } from '../oracle.ts';
import { recount, untilShipped } from '../recount.ts';
import { createChecks, type Row, type RowPlan, type RowReport } from '../row.ts';
import { startTortureServer } from '../torture-server.ts';

const TIMES_MAX = 4;

/** T6b: the warehouse's answers get lost, so the same shipment is retried again and again. */
export const repeatedShipments: Row = {
  id: 'T6b',
  title: 'the warehouse’s answers get lost: each shipment is sent 1 to 5 times',
  unit: 'losses',
  quick: 6,
  full: 1_000,
  run: (plan) => loseAnswers(plan, false),
};

/**
 * C6: the same with the deduplication token removed on the way. The rules must then be broken: otherwise T6b would
 * prove nothing.
 */
export const repeatedShipmentsControl: Row = {
  id: 'C6',
  title: 'control of T6b: without the deduplication token the same row must fail',
  unit: 'losses',
  quick: 4,
  full: 10,
  async run(plan) {
    const { numbers, checks } = await loseAnswers(plan, true);
    const broken = checks.filter((check) => check.failure !== undefined).map(({ rule }) => rule);
    const control = createChecks();
    control.that(
      'without the token events are there twice, and the row says so',
      broken.includes('no event is there twice'),
      'it held all the same',
    );
    return {
      numbers: { ...numbers, 'rules broken, as they must be': broken.length },
      checks: control.all,
    };
  },
};

async function loseAnswers(plan: RowPlan, withoutTokens: boolean): Promise<RowReport> {
  const { seed, amount, log } = plan;
  const dataDir = makeDataDir();
  const chance = createChance(seed, 0);
  const warehouse = await startForgetfulWarehouse({
    dataDir,
    chance,
    timesMax: TIMES_MAX,
    withoutTokens,
  });
  const server = await startTortureServer({ dataDir, env: { CLICKHOUSE_URL: warehouse.url } });
  const oracle = createOracle();
  const load = startLoad({
    server,
    oracle,
    seed,
    senders: 4,
    batch: 40,
    goals: 20,
    payments: 20,
    pauseMs: 10,
  });
  try {
    while (warehouse.figures.lost < amount) {
      await sleep(50);
      log(`${warehouse.figures.lost} of ${amount} answers lost`);
    }
    warehouse.remember();
    await load.end();
    await untilShipped(server);
    const checks = createChecks();
    const found = await recount(server, oracle, checks);
    return {
      numbers: {
        inserts: warehouse.figures.inserts,
        'answers lost': warehouse.figures.lost,
        requests: load.figures.requests,
        answers: tellStatuses(load.figures),
        ...found,
      },
      checks: checks.all,
    };
  } finally {
    await Promise.race([load.end(), sleep(1_000)]);
    await server.stop();
    await warehouse.stop();
    server.cleanUp();
  }
}
