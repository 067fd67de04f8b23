import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startServer, type TestServer } from '../test/start-server.ts';
import { type LoadResult, loadOf, prepareSite, runLoad, startLoadProcess } from './load-plan.ts';
import { measureProcesses } from './measure-processes.ts';
import { measureThreads, PARTS } from './measure-threads.ts';

type Kind = 'pageviews' | 'goals' | 'payments';

export type IngestBenchOptions = {
  readonly rounds: number;
  readonly roundMs: number;
  readonly kinds: readonly Kind[];
};

type Figures = {
  readonly kind: Kind;
  readonly perSecond: number;
  readonly barePerSecond: number;
  readonly ratio: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** With requests coming at half of `perSecond`, from when each was due. */
  readonly p99AtHalfMs: number;
  readonly failures: number;
  /** Processor time of one request by part of the system, in microseconds, shipping included. */
  readonly cpuUs: readonly { readonly part: string; readonly us: number }[];
};

export type IngestResult = {
  readonly figures: readonly Figures[];
  readonly idle: { readonly residentMb: number; readonly cpuPercent: number };
  readonly peakMb: number;
};

/** What is measured, in this order. */
export const KINDS = ['pageviews', 'goals', 'payments'] as const satisfies Kind[];

const CONNECTIONS = 64;
/** What was accepted last is in the warehouse by then. */
const SHIPPED_MS = 2_500;
const VISITORS = 5_000;

/** Requests a second, durable and shipping, in alternating rounds with a bare `node:http` server. */
export async function benchIngest(options: IngestBenchOptions): Promise<IngestResult> {
  const server = await startServer();
  const bare = fork(fileURLToPath(new URL('./bare-server.ts', import.meta.url)));
  const [{ port: barePort }] = (await once(bare, 'message')) as [{ port: number }];
  const load = startLoadProcess();
  try {
    const to = await prepareSite(server);
    const bareTo = { ...to, port: barePort };
    const planOf = (round: number) => ({
      connections: CONNECTIONS,
      visitors: VISITORS,
      durationMs: options.roundMs,
      round,
    });
    const idle = await measureIdle(server);
    const figures: Figures[] = [];
    let peakMb = 0;
    // Visitors of goals have a pageview.
    await runLoad(load, loadOf('pageviews', to, planOf(0)));
    for (const kind of options.kinds) {
      const rounds = { bare: [] as LoadResult[], own: [] as LoadResult[] };
      const before = measureThreads(server.pids());
      let requests = 0;
      // The first round warms both servers up.
      for (let round = 0; round <= options.rounds; round++) {
        const own = await runLoad(load, loadOf(kind, to, planOf(round)));
        const bareRound = await runLoad(load, loadOf(kind, bareTo, planOf(round)));
        peakMb = Math.max(peakMb, measureProcesses(server.pids()).residentMb);
        requests += own.requests;
        if (round === 0) continue;
        rounds.own.push(own);
        rounds.bare.push(bareRound);
      }
      await sleep(SHIPPED_MS);
      const after = measureThreads(server.pids());
      const cpuUs = PARTS.map((part) => ({
        part,
        us: ((after[part] - before[part]) * 1_000) / requests,
      }));
      const perSecond = perSecondOf(rounds.own) / 2;
      const atHalf = loadOf(kind, to, planOf(options.rounds + 1));
      const half = await runLoad(load, { ...atHalf, perSecond });
      figures.push({ ...toFigures(kind, rounds, half), cpuUs });
    }
    return { figures, idle, peakMb };
  } finally {
    load.kill();
    bare.kill();
    await server.stop();
    server.cleanUp();
  }
}

async function measureIdle(server: TestServer) {
  await sleep(3_000);
  const before = measureProcesses(server.pids());
  const windowMs = 10_000;
  await sleep(windowMs);
  const after = measureProcesses(server.pids());
  return {
    residentMb: after.residentMb,
    cpuPercent: ((after.cpuMs - before.cpuMs) / windowMs) * 100,
  };
}

function toFigures(
  kind: Kind,
  rounds: { bare: LoadResult[]; own: LoadResult[] },
  half: LoadResult,
): Omit<Figures, 'cpuUs'> {
  const own = perSecondOf(rounds.own);
  const bare = perSecondOf(rounds.bare);
  return {
    kind,
    perSecond: Math.round(own),
    barePerSecond: Math.round(bare),
    ratio: own / bare,
    p50Ms: median(rounds.own.map((round) => round.p50Ms)),
    p99Ms: median(rounds.own.map((round) => round.p99Ms)),
    p99AtHalfMs: half.p99Ms,
    failures: [...rounds.own, half].reduce((sum, round) => sum + round.failures, 0),
  };
}

function perSecondOf(rounds: readonly LoadResult[]): number {
  const requests = rounds.reduce((sum, round) => sum + round.requests, 0);
  return requests / (rounds.reduce((sum, round) => sum + round.durationMs, 0) / 1_000);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
