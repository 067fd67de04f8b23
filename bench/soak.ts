import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startServer, type TestServer } from '../test/server/start-server.ts';
import { loadOf, prepareSite, runLoad, startLoadProcess } from './load-plan.ts';
import { measureProcesses } from './measure-processes.ts';

const USAGE = `usage: npm run bench -- soak [options]

  --seconds N   how long memory is compared, under load (600)
  --warm-s N    how long the same load runs before that (300)
  --rate N      requests a second: six in ten pageviews, three goals, one payment (4000)
  --json        print one JSON value
`;

/** Requests of each kind per ten. */
const MIX = { pageviews: 6, goals: 3, payments: 1 } as const;
const CONNECTIONS = 64;
const VISITORS = 5_000;
const GROWTH_MAX_PERCENT = 5;
/** Number of parts to compare: minutes, in a run of ten. */
const PARTS = 10;

/** The resources that the processes used under load. */
export type SoakResult = {
  readonly seconds: number;
  readonly requests: number;
  readonly failures: number;
  readonly p99MsByKind: Readonly<Record<string, number>>;
  /** Resident megabytes of all processes: the mean for each tenth of the time. */
  readonly residentMb: readonly number[];
  /** The same for each process. */
  readonly residentMbByProcess: Readonly<Record<string, readonly number[]>>;
  /** How far the largest total is above the first. */
  readonly growthPercent: number;
};

/** Keeps up a steady load and checks whether the processes grow. */
export async function benchSoak(options: {
  readonly seconds: number;
  readonly warmSeconds: number;
  readonly rate: number;
}): Promise<SoakResult> {
  const { seconds, warmSeconds, rate } = options;
  const server = await startServer();
  const generators = Object.entries(MIX).map(([kind, share]) => ({
    kind: kind as keyof typeof MIX,
    share,
    child: startLoadProcess(),
  }));
  try {
    const to = await prepareSite(server);
    const plan = { connections: CONNECTIONS, visitors: VISITORS, round: 0 };
    const [pageviews] = generators;
    if (pageviews === undefined) throw new Error('the mix has pageviews');
    // The visitors of goals need a pageview.
    await runLoad(pageviews.child, loadOf('pageviews', to, { ...plan, durationMs: 3_000 }));
    const running = generators.map(({ kind, share, child }) => {
      const perSecond = (rate * share) / 10;
      const durationMs = (warmSeconds + seconds) * 1_000;
      return runLoad(child, loadOf(kind, to, { ...plan, durationMs, perSecond, round: 1 }));
    });
    await sleep(warmSeconds * 1_000);
    const samples = await sampleMemory(server, seconds);
    const residentMb = toParts(samples.map((sample) => sum(Object.values(sample))));
    const results = await Promise.all(running);
    const first = residentMb[0] ?? 0;
    return {
      seconds,
      requests: sum(results.map(({ requests }) => requests)),
      failures: sum(results.map(({ failures }) => failures)),
      p99MsByKind: Object.fromEntries(
        results.map(({ p99Ms }, index) => [generators[index]?.kind ?? '', p99Ms]),
      ),
      residentMb,
      residentMbByProcess: Object.fromEntries(
        Object.keys(samples[0] ?? {}).map((name) => [
          name,
          toParts(samples.map((sample) => sample[name] ?? 0)),
        ]),
      ),
      growthPercent: (Math.max(...residentMb) / first - 1) * 100,
    };
  } finally {
    for (const { child } of generators) child.kill();
    await server.stop();
    server.cleanUp();
  }
}

type Sample = Readonly<Record<string, number>>;

/** Megabytes of each process, once a second. */
async function sampleMemory(server: TestServer, seconds: number): Promise<Sample[]> {
  const samples: Sample[] = [];
  const pidByName = new Map(server.pids().map((pid) => [nameOf(pid), pid]));
  for (const endsAt = performance.now() + seconds * 1_000; performance.now() < endsAt; ) {
    const entries = [...pidByName].map(([name, pid]) => [name, measureProcesses([pid]).residentMb]);
    samples.push(Object.fromEntries(entries));
    if (process.stderr.isTTY) process.stderr.write(`\r${samples.length} of ${seconds} s`);
    await sleep(1_000);
  }
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  return samples;
}

/** The name of the file it runs. */
function nameOf(pid: number): string {
  const [, ...words] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  return basename(words.find((word) => !word.startsWith('-')) ?? '', '.ts');
}

function toParts(samples: readonly number[]): number[] {
  return Array.from({ length: PARTS }, (_, part) => {
    const from = Math.floor((samples.length * part) / PARTS);
    const within = samples.slice(from, Math.floor((samples.length * (part + 1)) / PARTS));
    return sum(within) / within.length;
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The command `npm run bench -- soak`; exit code 1 if memory grew. */
export async function runSoak(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '600' },
      'warm-s': { type: 'string', default: '300' },
      rate: { type: 'string', default: '4000' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stderr.write(USAGE);
    return;
  }
  const seconds = Math.max(PARTS, Number(values.seconds));
  const warmSeconds = Number(values['warm-s']);
  const result = await benchSoak({ seconds, warmSeconds, rate: Number(values.rate) });
  process.stdout.write(values.json ? `${JSON.stringify(result)}\n` : toText(result));
  if (result.growthPercent > GROWTH_MAX_PERCENT) process.exitCode = 1;
}

function toText({ seconds, requests, failures, p99MsByKind, ...memory }: SoakResult): string {
  const p99s = Object.entries(p99MsByKind).map(([kind, ms]) => `${kind} ${ms.toFixed(1)} ms`);
  const tell = (parts: readonly number[]) => parts.map((mb) => mb.toFixed(0)).join(', ');
  const byProcess = Object.entries(memory.residentMbByProcess)
    .map(([name, parts]) => `- ${name}: ${tell(parts)} MB\n`)
    .join('');
  return `${requests.toLocaleString('en')} requests, p99 of ${p99s.join(', ')}, ${failures} failures; resident memory of all processes in tenths of ${seconds} s:
${tell(memory.residentMb)} MB: at most ${memory.growthPercent.toFixed(1)} % above the first (${GROWTH_MAX_PERCENT} % are allowed).

${byProcess}`;
}
