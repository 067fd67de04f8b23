import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startServer, type TestServer } from '../test/server/start-server.ts';
import { type LoadResult, loadOf, prepareSite, runLoad, startLoadProcess } from './load-plan.ts';
import { measureProcesses } from './measure-processes.ts';
import { measureThreads, PARTS } from './measure-threads.ts';
import { median } from './median.ts';

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
  /** The bare server's rate when it only appends each body to a file and syncs it before the answer. */
  readonly syncedPerSecond: number;
  /** To the bare server. */
  readonly ratio: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** With requests sent at half of `perSecond`, measured from when each was due. */
  readonly p99AtHalfMs: number;
  readonly failures: number;
  /** CPU time per request by part of the system, in microseconds, including shipping. */
  readonly cpuUs: readonly { readonly part: string; readonly us: number }[];
};

export type IngestResult = {
  readonly figures: readonly Figures[];
  readonly idle: { readonly residentMb: number; readonly cpuPercent: number };
  readonly peakMb: number;
};

/** The measurements, in order. */
export const KINDS = ['pageviews', 'goals', 'payments'] as const satisfies Kind[];

const CONNECTIONS = 64;
/** By then the warehouse has everything accepted. */
const SHIPPED_MS = 2_500;
const VISITORS = 5_000;
/** A freshly started server still has background work. */
const STARTED_MS = 15_000;

/** Requests per second, durable and shipped, in alternating rounds with two bare `node:http` servers. */
export async function benchIngest(options: IngestBenchOptions): Promise<IngestResult> {
  const server = await startServer();
  const folder = mkdtempSync(join(tmpdir(), 'tributary-bench-'));
  const bare = await startBareServer();
  const synced = await startBareServer(join(folder, 'bodies'));
  const load = startLoadProcess();
  try {
    const to = await prepareSite(server);
    const planOf = (round: number) => ({
      connections: CONNECTIONS,
      visitors: VISITORS,
      durationMs: options.roundMs,
      round,
    });
    const idle = await measureIdle(server);
    const figures: Figures[] = [];
    let peakMb = 0;
    // The visitors of goals need a pageview.
    await runLoad(load, loadOf('pageviews', to, planOf(0)));
    for (const kind of options.kinds) {
      const rounds: Rounds = { own: [], bare: [], synced: [] };
      const before = measureThreads(server.pids());
      let requests = 0;
      // The first round warms up both servers.
      for (let round = 0; round <= options.rounds; round++) {
        const own = await runLoad(load, loadOf(kind, to, planOf(round)));
        const loadAt = (port: number) => loadOf(kind, { ...to, port }, planOf(round));
        const ofBare = await runLoad(load, loadAt(bare.port));
        const ofSynced = await runLoad(load, loadAt(synced.port));
        peakMb = Math.max(peakMb, measureProcesses(server.pids()).residentMb);
        requests += own.requests;
        if (round === 0) continue;
        rounds.own.push(own);
        rounds.bare.push(ofBare);
        rounds.synced.push(ofSynced);
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
    bare.child.kill();
    synced.child.kill();
    rmSync(folder, { recursive: true });
    await server.stop();
    server.cleanUp();
  }
}

type Rounds = Record<'own' | 'bare' | 'synced', LoadResult[]>;

async function startBareServer(
  syncedPath?: string,
): Promise<{ child: ChildProcess; port: number }> {
  const main = fileURLToPath(new URL('./bare-server.ts', import.meta.url));
  const child = fork(main, syncedPath === undefined ? [] : [syncedPath]);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { child, port };
}

async function measureIdle(server: TestServer) {
  await sleep(STARTED_MS);
  const before = measureProcesses(server.pids());
  const windowMs = 10_000;
  await sleep(windowMs);
  const after = measureProcesses(server.pids());
  return {
    residentMb: after.residentMb,
    cpuPercent: ((after.cpuMs - before.cpuMs) / windowMs) * 100,
  };
}

function toFigures(kind: Kind, rounds: Rounds, half: LoadResult): Omit<Figures, 'cpuUs'> {
  const own = perSecondOf(rounds.own);
  const bare = perSecondOf(rounds.bare);
  return {
    kind,
    perSecond: Math.round(own),
    barePerSecond: Math.round(bare),
    syncedPerSecond: Math.round(perSecondOf(rounds.synced)),
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
