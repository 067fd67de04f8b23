import { setTimeout as sleep } from 'node:timers/promises';
import { measureProcesses } from '../../../bench/measure-processes.ts';
import { askUntilStopped } from '../dashboard-queries.ts';
import { type LoadFigures, percentile, startLoad, tellStatuses } from '../load.ts';
import { createOracle } from '../oracle.ts';
import { recount, untilShipped } from '../recount.ts';
import { createChecks, type Row } from '../row.ts';
import { startTortureServer, type TortureServer } from '../torture-server.ts';

const SENDERS = 16;
const P99_MAX_MS = 50;
const QUERY_MAX_MS = 300;
const MEMORY_GROWTH_MAX_PERCENT = 5;
/** Warm-up memory is not growth; nothing is compared before this. */
const SETTLED_AFTER_S = 120;
const PEAK_MS = 4_000;
const SAMPLE_MS = 1_000;

/** T8: half the measured peak, for a while, with a querying dashboard. */
export const longLoad: Row = {
  id: 'T8',
  title: 'load at half the measured peak, while a dashboard queries',
  unit: 'seconds',
  quick: 60,
  full: 3_600,
  async run({ seed, amount, log }) {
    const server = await startTortureServer();
    const oracle = createOracle();
    const checks = createChecks();
    const load = (round: number, pauseMs?: number) =>
      startLoad({
        server,
        oracle,
        seed,
        stream: round * 100,
        senders: SENDERS,
        batch: 5,
        goals: 40,
        payments: 20,
        ...(pauseMs === undefined ? {} : { pauseMs }),
      });
    try {
      const peakPerSecond = await measurePeak(load(0));
      // A sender's cycle is its pause plus its request; at half the peak it takes twice as long.
      const pauseMs = Math.max(1, Math.round((SENDERS / peakPerSecond) * 1_000));
      const running = load(1, pauseMs);
      const queries = askUntilStopped(server, 1_000);
      const memoryMb = await sampleMemory(server, amount, log);
      const asked = await queries.end();
      await running.end();
      await untilShipped(server);
      const found = await recount(server, oracle, checks);
      const p99 = percentile(running.figures.latenciesMs, 0.99);
      const query = percentile(asked.latenciesMs, 0.95);
      const growth = growthOf(memoryMb);
      checks.equal('every request is accepted', countOthers(running.figures), 0);
      checks.thatWhenQuiet(`p99 stays under ${P99_MAX_MS} ms`, p99 < P99_MAX_MS, p99);
      checks.thatWhenQuiet(`a query takes under ${QUERY_MAX_MS} ms`, query < QUERY_MAX_MS, query);
      if (amount >= 2 * SETTLED_AFTER_S) {
        const isFlat = growth <= MEMORY_GROWTH_MAX_PERCENT;
        checks.that('resident memory is flat within 5 %', isFlat, `${growth} %`);
      }
      return {
        numbers: {
          seconds: amount,
          'peak, requests a second': Math.round(peakPerSecond),
          'held, requests a second': Math.round(running.figures.requests / amount),
          answers: tellStatuses(running.figures),
          'p50, ms': percentile(running.figures.latenciesMs, 0.5).toFixed(1),
          'p99, ms': p99.toFixed(1),
          'queries answered': asked.answered,
          'query p95, ms': query.toFixed(1),
          'resident memory, first and last, MB': `${memoryMb[0]}, ${memoryMb.at(-1)}`,
          ...found,
        },
        checks: checks.all,
      };
    } finally {
      await server.stop();
      server.cleanUp();
    }
  },
};

async function measurePeak(load: ReturnType<typeof startLoad>): Promise<number> {
  await sleep(PEAK_MS);
  const { requests } = load.figures;
  await load.end();
  return (requests / PEAK_MS) * 1_000;
}

/** Total megabytes of all processes, once a second. */
async function sampleMemory(server: TortureServer, seconds: number, log: (line: string) => void) {
  const samples: number[] = [];
  const endsAt = performance.now() + seconds * 1_000;
  while (performance.now() < endsAt) {
    await sleep(SAMPLE_MS);
    const pids = (['supervisor', 'web', 'engine'] as const).flatMap(
      (role) => server.findPid(role) ?? [],
    );
    samples.push(Math.round(measureProcesses(pids).residentMb));
    log(`${samples.length} of ${seconds} s, ${samples.at(-1)} MB`);
  }
  return samples;
}

/** Percent by which the last tenth exceeds the first tenth after warm-up. */
function growthOf(samplesMb: readonly number[]): number {
  const settled = samplesMb.slice(SETTLED_AFTER_S);
  const tenth = Math.max(1, Math.floor(settled.length / 10));
  const [first, last] = [mean(settled.slice(0, tenth)), mean(settled.slice(-tenth))];
  return Math.round((last / first - 1) * 1_000) / 10;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function countOthers({ requests, statuses }: LoadFigures): number {
  return requests - (statuses.get(200) ?? 0);
}
