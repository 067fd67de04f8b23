import { readdirSync, readFileSync } from 'node:fs';

/** CPU time by part of the system, in milliseconds since each process started. */
export type ThreadTimes = Readonly<Record<Part, number>>;

/** The parts that a request passes through, in order. */
export const PARTS = [
  'web: requests',
  'web: garbage',
  'web: journal and ledger',
  'engine: inserts',
  'engine: merges',
] as const;

type Part = (typeof PARTS)[number];

const TICK_MS = 10;

/** The CPU time of a process tree's threads, as counted by Linux. */
export function measureThreads(pids: readonly number[]): ThreadTimes {
  const times = Object.fromEntries(PARTS.map((part) => [part, 0])) as Record<Part, number>;
  for (const pid of pids) {
    const command = read(`/proc/${pid}/cmdline`) ?? '';
    const isEngine = command.includes('engine-child');
    if (!isEngine && !command.includes('web.ts')) continue;
    for (const { name, ms } of threadsOf(pid)) times[partOf(name, isEngine)] += ms;
  }
  return times;
}

function partOf(name: string, isEngine: boolean): Part {
  if (isEngine) return name.startsWith('MergeMut') ? 'engine: merges' : 'engine: inserts';
  if (name === 'node-MainThread' || name === 'node') return 'web: requests';
  if (name.includes('V8Worker') || name.startsWith('Delayed')) return 'web: garbage';
  return 'web: journal and ledger';
}

function threadsOf(pid: number): { name: string; ms: number }[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
    const stat = read(`/proc/${pid}/task/${thread}/stat`);
    if (stat === undefined) return [];
    const end = stat.lastIndexOf(')');
    const fields = stat.slice(end + 2).split(' ');
    const ms = (Number(fields[11]) + Number(fields[12])) * TICK_MS;
    return [{ name: stat.slice(stat.indexOf('(') + 1, end), ms }];
  });
}

/** A thread may end between being listed and being read. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
