import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Chance, createChance } from '#cli/demo/chance.ts';
import { startLoad, tellStatuses } from '../load.ts';
import { createOracle } from '../oracle.ts';
import { recount, untilShipped } from '../recount.ts';
import { createChecks, type Row } from '../row.ts';
import { startTortureServer, type TortureServer } from '../torture-server.ts';

const ERRORS = ['EIO', 'ENOSPC', 'EMFILE'] as const;
type Injection = {
  readonly role: 'web' | 'engine';
  readonly call: string;
  readonly error: string;
  readonly when: string;
};

/** A log's remains of failed commits only differ from damage once others follow. */
const TAKES_AGAIN_MS = 60;
const TRACER_ENDS_MS = 2_000;
/** How long calls fail: the engine gets rows once a second. */
const DURATIONS_MS = { web: [300, 1_000], engine: [900, 1_600] } as const;

/** Between an insert's token and its rows: the first point of every run. */
const WORST: Injection = { role: 'engine', call: 'rename', error: 'EIO', when: '2+3' };

/** T4: a process's system calls fail, one here and some there. */
export const failingCalls: Row = {
  id: 'T4',
  title: 'the Nth write, fsync, rename, truncate or open of web process or engine fails',
  unit: 'points',
  quick: 50,
  full: 20_000,
  findObstacle: () =>
    spawnSync('strace', ['-V']).status === 0 ? undefined : 'strace is not installed',
  async run({ seed, amount, log }) {
    const server = await startTortureServer();
    const oracle = createOracle();
    const chance = createChance(seed, 0);
    const killChance = createChance(seed, 1);
    const load = startLoad({
      server,
      oracle,
      seed,
      senders: 4,
      batch: 20,
      goals: 20,
      payments: 20,
      pauseMs: 5,
    });
    const checks = createChecks();
    const counts: Record<string, number> = {};
    let injected = 0;
    let killed = 0;
    try {
      for (let point = 0; point < amount; point++) {
        const injection = planInjection(chance, point);
        const hits = await inject(server, injection, planDuration(chance, injection));
        injected += hits;
        const name = `${injection.role} ${injection.call}`;
        counts[name] = (counts[name] ?? 0) + hits;
        await server.untilReady(20_000);
        if (injection.role === 'web' && hits > 0 && killChance.isTrue(0.5)) {
          await sleep(TAKES_AGAIN_MS);
          server.signal('web', 'SIGKILL');
          killed += 1;
          await server.untilReady(20_000);
        }
        log(`point ${point + 1} of ${amount}: ${name}, ${hits} times`);
      }
      await load.end();
      await untilShipped(server);
      const found = await recount(server, oracle, checks);
      const others = [...load.figures.statuses.keys()].filter(
        (status) => ![0, 200, 503].includes(status),
      );
      checks.equal('every answer is 200 or 503', others.join(), '');
      checks.that('some calls did fail', injected > 0, injected);
      return {
        numbers: {
          points: amount,
          'calls that failed': injected,
          'kills after that': killed,
          ...counts,
          requests: load.figures.requests,
          answers: tellStatuses(load.figures),
          ...found,
        },
        checks: checks.all,
      };
    } finally {
      await Promise.race([load.end(), sleep(1_000)]);
      await server.stop();
      server.cleanUp();
    }
  },
};

/** One call from the Nth on, or every Nth. */
function planInjection(chance: Chance, point: number): Injection {
  if (point === 0) return WORST;
  const [role, call] = chance.pick<readonly ['web' | 'engine', string]>([
    [4, ['web', 'fdatasync']],
    [2, ['web', 'fsync']],
    [5, ['web', 'pwrite64']],
    [1, ['web', 'ftruncate']],
    [1, ['web', 'openat']],
    [3, ['engine', 'rename']],
    [2, ['engine', 'fsync']],
    [1, ['engine', 'fdatasync']],
    [2, ['engine', 'openat']],
    [1, ['engine', 'mkdir']],
    [1, ['engine', 'unlink']],
  ]);
  const error = ERRORS[chance.whole(0, ERRORS.length - 1)] ?? 'EIO';
  const first = chance.whole(1, 20);
  return {
    role,
    call,
    error,
    when: chance.isTrue(0.5) ? `${first}` : `${first}+${chance.whole(1, 7)}`,
  };
}

function planDuration(chance: Chance, { role }: Injection): number {
  const [least, most] = DURATIONS_MS[role];
  return chance.whole(least, most);
}

/** The number of calls that failed in this time. */
async function inject(
  server: TortureServer,
  { role, call, error, when }: Injection,
  durationMs: number,
): Promise<number> {
  const pid = server.findPid(role);
  if (pid === undefined) return 0;
  const strace = spawn(
    'strace',
    [
      '-f',
      '-p',
      String(pid),
      '-e',
      `trace=${call}`,
      '-e',
      `inject=${call}:error=${error}:when=${when}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const text = readAll(strace);
  await sleep(durationMs);
  strace.kill('SIGINT');
  // It waits forever for a process whose first thread ended before the others.
  const insist = setTimeout(() => strace.kill('SIGKILL'), TRACER_ENDS_MS);
  if (strace.exitCode === null && strace.signalCode === null) await once(strace, 'exit');
  clearTimeout(insist);
  return (await text).split('(INJECTED)').length - 1;
}

async function readAll(child: ChildProcess): Promise<string> {
  let text = '';
  for await (const chunk of child.stderr ?? []) text += chunk;
  return text;
}
