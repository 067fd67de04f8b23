import { appendFileSync, readFileSync } from 'node:fs';

/** The cost of a test file. CPU time includes its ended children. */
export type FileCost = {
  readonly file: string;
  readonly wallMs: number;
  readonly processorMs: number;
};

/** Linux counts hundredths of a second on every machine. */
const TICK_MS = 10;

/** Adds a line to the file named by `TEST_COSTS`, if any. */
export function noteCost(cost: FileCost): void {
  const { TEST_COSTS } = process.env;
  if (TEST_COSTS !== undefined) appendFileSync(TEST_COSTS, `${JSON.stringify(cost)}\n`);
}

/** What every process has noted so far. */
export function readCosts(path: string): FileCost[] {
  return readFileSync(path, { encoding: 'utf8', flag: 'a+' })
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as FileCost);
}

/** The CPU time of this process so far, and of its ended children. */
export function readProcessorMs(): number {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // utime, stime, cutime, cstime: proc_pid_stat(5), whose third field is first here.
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * TICK_MS, 0);
  } catch {
    const { user, system } = process.cpuUsage(); // Not Linux: without the children.
    return Math.round((user + system) / 1_000);
  }
}
