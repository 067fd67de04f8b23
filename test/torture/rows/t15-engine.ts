import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { createChance } from '#cli/demo/chance.ts';
import { askUntilStopped } from '../dashboard-queries.ts';
import { endureFault, planFault } from '../faults/engine-faults.ts';
import { percentile, startLoad, tellStatuses } from '../load.ts';
import { createOracle } from '../oracle.ts';
import { recount, untilShipped } from '../recount.ts';
import { type Checks, createChecks, type Row } from '../row.ts';
import { runCommand } from '../run-command.ts';
import { startTortureServer, type TortureServer } from '../torture-server.ts';

/** Maximum time until it is back, including the time to notice. */
const BACK_WITHIN_MS = 5_000;
/** T15: the engine is killed, stopped, crashes, ends, runs out of memory, or finds a broken part. */
export const engineFaults: Row = {
  id: 'T15',
  title: 'the engine is killed, stopped, crashes, runs out of memory, finds a broken part',
  findObstacle: () =>
    spawnSync('prlimit', ['--version']).status === 0 ? undefined : 'prlimit is not installed',
  unit: 'faults',
  quick: 10,
  full: 500,
  async run({ seed, amount, log }) {
    const server = await startTortureServer();
    const oracle = createOracle();
    const chance = createChance(seed, 0);
    const load = startLoad({
      server,
      oracle,
      seed,
      senders: 6,
      batch: 40,
      goals: 20,
      payments: 20,
      pauseMs: 5,
    });
    const queries = askUntilStopped(server);
    const checks = createChecks();
    const counts: Record<string, number> = {};
    let slowestMs = 0;
    try {
      for (let number = 0; number < amount; number++) {
        await sleep(chance.whole(200, 1_500));
        const fault = planFault(chance, number);
        counts[fault] = (counts[fault] ?? 0) + 1;
        const tookMs = await endureFault(server, fault);
        slowestMs = Math.max(slowestMs, tookMs);
        log(`fault ${number + 1} of ${amount}: ${fault}, back after ${Math.round(tookMs)} ms`);
      }
      await load.end();
      const asked = await queries.end();
      await untilShipped(server);
      if (counts['broken part'] !== undefined) await mend(server, checks);
      const found = await recount(server, oracle, checks);
      const failures = load.figures.requests - (load.figures.statuses.get(200) ?? 0);
      checks.equal('ingest is unaffected: every request is accepted', failures, 0);
      checks.equal('queries answer 200 or 503', asked.others, 0);
      checks.thatWhenQuiet(
        'the engine is back within 5 s',
        slowestMs <= BACK_WITHIN_MS,
        `${Math.round(slowestMs)} ms`,
      );
      return {
        numbers: {
          faults: amount,
          ...counts,
          requests: load.figures.requests,
          answers: tellStatuses(load.figures),
          'p50, ms': percentile(load.figures.latenciesMs, 0.5).toFixed(1),
          'p99, ms': percentile(load.figures.latenciesMs, 0.99).toFixed(1),
          'queries answered': asked.answered,
          'queries refused with 503': asked.refused,
          ...found,
          'slowest return of the engine, ms': Math.round(slowestMs),
        },
        checks: checks.all,
      };
    } finally {
      await queries.end();
      await Promise.race([load.end(), sleep(1_000)]);
      await server.stop();
      server.cleanUp();
    }
  },
};

/** What the engine sets aside is reported, and the archive restores it. */
async function mend(server: TortureServer, checks: Checks): Promise<void> {
  await server.stop();
  const verified = await runCommand(['verify'], server.dataDir);
  checks.that('a broken part is reported', verified.code === 1, verified.text);
  const rebuilt = await runCommand(['rebuild'], server.dataDir);
  checks.that('the warehouse is rebuilt', rebuilt.code === 0, rebuilt.text);
  await server.startAgain();
  await server.untilReady(BACK_WITHIN_MS);
}
