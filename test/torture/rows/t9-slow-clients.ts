import { setTimeout as sleep } from 'node:timers/promises';
import { measureProcesses } from '../../../bench/measure-processes.ts';
import { type HostileSocket, openHostile } from '../faults/hostile-sockets.ts';
import { type LoadFigures, percentile, startLoad, tellStatuses } from '../load.ts';
import { createOracle } from '../oracle.ts';
import { recount, untilShipped } from '../recount.ts';
import { createChecks, type Row } from '../row.ts';
import { countDescriptors, startTortureServer, type TortureServer } from '../torture-server.ts';

/** Per wave; this many opened at a time, a tenth of a second apart. */
const SOCKETS = 2_000;
const SOCKETS_AT_ONCE = 25;
const APART_MS = 100;
const NORMAL_MS = 4_000;
/** The longest timeout for readers is 10 s for a whole request, checked every second. */
const CUT_OFF_WITHIN_MS = 12_500;
/** Clients that read nothing get a minute; two seconds in runs too short for one. */
const UNREAD_WITHIN_MS = 65_000;
const IMPATIENT = new URL('../../system/bad-input/impatient-sockets.ts', import.meta.url).href;
/** Below this a doubled p99 is the noise of two cores, and no one's wait. */
const P99_FLOOR_MS = 40;
/** Connections of honest clients, and briefly open files. */
const DESCRIPTORS_BESIDE = 12;

/** T9: slow, silent, pipelining, lying and unreading clients, beside honest ones. */
export const slowClients: Row = {
  id: 'T9',
  title: 'slow headers and bodies, silence, pipelines, huge headers, answers that no client reads',
  unit: 'seconds',
  quick: 20,
  full: 1_800,
  async run({ seed, amount, log }) {
    const isShort = amount * 1_000 < UNREAD_WITHIN_MS;
    const env: Record<string, string> = { TRUSTED_PROXIES: '127.0.0.1' }; // All come from there.
    if (isShort) env.NODE_OPTIONS = `--import=${IMPATIENT}`;
    const server = await startTortureServer({ env });
    const oracle = createOracle();
    const checks = createChecks();
    const load = (round: number) =>
      startLoad({
        ...{ server, oracle, seed, stream: round * 100 },
        ...{ senders: 4, batch: 10, payments: 20, pauseMs: 5 },
      });
    try {
      await measure(load(0)); // Warms up.
      const pid = server.findPid('web') ?? 0;
      const before = countDescriptors(pid);
      const normal = await measure(load(1));
      const running = load(2);
      const withinMs = isShort ? CUT_OFF_WITHIN_MS : UNREAD_WITHIN_MS;
      const waves: Wave[] = [];
      const endsAt = performance.now() + amount * 1_000;
      do {
        waves.push(await sendWave(server, { pid, before, withinMs }));
        log(`wave ${waves.length}: cut off after ${Math.round(waves.at(-1)?.tookMs ?? 0)} ms`);
      } while (performance.now() + withinMs < endsAt);
      await running.end();
      const after = await settleDescriptors(pid, before);
      await untilShipped(server);
      const found = await recount(server, oracle, checks);
      const [p99, hostileP99] = [p99Of(normal), p99Of(running.figures)];
      const allowed = Math.max(2 * p99, P99_FLOOR_MS);
      const readersMs = Math.max(...waves.map(({ readersMs }) => readersMs));
      const tookMs = Math.max(...waves.map(({ tookMs }) => tookMs));
      const left = Math.max(...waves.map((wave) => wave.left));
      checks.thatWhenQuiet(
        'the honest p99 stays under twice its normal',
        hostileP99 <= allowed,
        hostileP99,
      );
      checks.equal('every hostile socket is cut off', left, 0);
      checks.thatWhenQuiet(
        'who reads is cut off in time',
        readersMs <= CUT_OFF_WITHIN_MS,
        readersMs,
      );
      checks.thatWhenQuiet('who does not read, too', tookMs <= withinMs, `${tookMs} ms`);
      checks.that('no descriptor leaks', after <= before + 8, `${before} before, ${after} after`);
      checks.equal('the same process serves all the time', server.findPid('web') ?? 0, pid);
      return {
        numbers: {
          'hostile sockets': waves.length * SOCKETS,
          'requests beside them': running.figures.requests,
          answers: tellStatuses(running.figures),
          'normal p99, ms': p99.toFixed(1),
          'p99 beside them, ms': hostileP99.toFixed(1),
          'who reads cut off after, ms': Math.round(readersMs),
          'all cut off after, ms': Math.round(tookMs),
          'most resident memory, MB': Math.max(...waves.map(({ residentMb }) => residentMb)),
          'descriptors before and after': `${before}, ${after}`,
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

type Load = ReturnType<typeof startLoad>;

async function measure(load: Load): Promise<LoadFigures> {
  await sleep(NORMAL_MS);
  await load.end();
  return load.figures;
}

function p99Of({ latenciesMs }: LoadFigures): number {
  return percentile(latenciesMs, 0.99);
}

/** The outcome of this many hostile sockets at once. */
type Wave = {
  /** The longest duration of those that read, and of all after the last was opened. */
  readonly readersMs: number;
  readonly tookMs: number;
  /** Those that never ended. */
  readonly left: number;
  readonly residentMb: number;
};

type Web = { readonly pid: number; readonly before: number; readonly withinMs: number };

async function sendWave(server: TortureServer, { pid, before, withinMs }: Web): Promise<Wave> {
  const hostile: HostileSocket[] = [];
  const open = new Set<HostileSocket>();
  let readersMs = 0;
  while (hostile.length < SOCKETS) {
    for (let next = 0; next < SOCKETS_AT_ONCE; next++) {
      const each = openHostile(server, hostile.length);
      hostile.push(each);
      if (!each.reads) continue;
      open.add(each);
      each.closed.then((lastedMs) => {
        open.delete(each);
        readersMs = Math.max(readersMs, lastedMs);
      });
    }
    await sleep(APART_MS);
  }
  const from = performance.now();
  let residentMb = 0;
  /** Clients that read nothing miss their end, but the descriptor is gone. */
  const countLeft = () =>
    open.size + Math.max(0, countDescriptors(pid) - before - DESCRIPTORS_BESIDE);
  do {
    await sleep(100);
    residentMb = Math.max(residentMb, Math.round(measureProcesses([pid]).residentMb));
  } while (countLeft() > 0 && performance.now() - from < withinMs + 2_000);
  const [tookMs, left] = [performance.now() - from, countLeft()];
  destroyAll(hostile);
  return { readersMs, tookMs, left, residentMb };
}

function destroyAll(hostile: readonly HostileSocket[]): void {
  for (const { socket } of hostile) socket.destroy();
}

/** What is open once the server has noticed every closed socket. */
async function settleDescriptors(pid: number, before: number): Promise<number> {
  const endsAt = performance.now() + 5_000;
  while (countDescriptors(pid) > before + 8 && performance.now() < endsAt) await sleep(100);
  return countDescriptors(pid);
}
