import { setTimeout as sleep } from 'node:timers/promises';
import { type Chance, createChance } from '#cli/demo/chance.ts';
import { percentile, startLoad, tellStatuses } from './load.ts';
import { createOracle } from './oracle.ts';
import { askUntilStopped } from './questions.ts';
import { recount, untilShipped } from './recount.ts';
import { createChecks, type Row } from './row.ts';
import { startTortureServer, type TortureServer } from './torture-server.ts';

/** Back within this, the time that it takes to notice included. */
const BACK_WITHIN_MS = 5_000;
const PATIENCE_MS = 40_000;

const FAULTS = ['SIGKILL', 'SIGSTOP', 'SIGSEGV', 'SIGABRT', 'SIGTERM', 'out of memory'] as const;
type Fault = (typeof FAULTS)[number];

/** T15: the engine's process is killed, stopped, crashes, ends, and runs out of memory. */
export const engineFaults: Row = {
  id: 'T15',
  title: 'the engine is killed, stopped, crashes, runs out of memory',
  unit: 'faults',
  small: 1,
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
    const questions = askUntilStopped(server);
    const checks = createChecks();
    const counts: Record<string, number> = {};
    let slowestMs = 0;
    try {
      for (let number = 0; number < amount; number++) {
        await sleep(chance.whole(200, 1_500));
        const fault = planFault(chance, number);
        counts[fault] = (counts[fault] ?? 0) + 1;
        const tookMs = await endure(server, fault);
        slowestMs = Math.max(slowestMs, tookMs);
        log(`fault ${number + 1} of ${amount}: ${fault}, back after ${Math.round(tookMs)} ms`);
      }
      await load.end();
      const asked = await questions.end();
      await untilShipped(server);
      const found = await recount(server, oracle, checks);
      const failures = load.figures.requests - (load.figures.statuses.get(200) ?? 0);
      checks.equal('ingest is unaffected: every request is accepted', failures, 0);
      checks.equal('questions answer 200 or 503', asked.others, 0);
      checks.that(
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
          'questions answered': asked.answered,
          'questions refused with 503': asked.refused,
          ...found,
          'slowest return of the engine, ms': Math.round(slowestMs),
        },
        checks: checks.all,
      };
    } finally {
      await questions.end();
      await Promise.race([load.end(), sleep(1_000)]);
      await server.stop();
      server.cleanUp();
    }
  },
};

/** Each fault once, in this order, then whichever falls; a stopped engine takes long, so rarely. */
function planFault(chance: Chance, number: number): Fault {
  const first = FAULTS[number];
  if (first !== undefined) return first;
  return chance.pick<Fault>([
    [6, 'SIGKILL'],
    [1, 'SIGSTOP'],
    [2, 'SIGSEGV'],
    [2, 'SIGABRT'],
    [2, 'SIGTERM'],
    [2, 'out of memory'],
  ]);
}

/** Resolves with the milliseconds from the fault until both stores answered again. */
async function endure(server: TortureServer, fault: Fault): Promise<number> {
  const from = performance.now();
  if (fault === 'out of memory') {
    await server
      .ask(
        'SELECT length(groupArray(number)) FROM numbers(2000000000) SETTINGS max_memory_usage = 300000000',
      )
      .catch(() => {}); // The engine refuses, or dies of it: either way it must be back.
  } else {
    const pid = server.findPid('engine');
    server.signal('engine', fault);
    while (pid !== undefined && server.findPid('engine') === pid) {
      if (performance.now() - from > PATIENCE_MS)
        throw new Error(`${fault} did not end the engine`);
      await sleep(10);
    }
  }
  await server.untilReady(PATIENCE_MS);
  return performance.now() - from;
}
