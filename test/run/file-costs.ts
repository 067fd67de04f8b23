import { appendFileSync, readFileSync } from 'node:fs';

/** What a test file took. Processor time is that of its ended children, too. */
export type FileCost = {
  readonly file: string;
  readonly wallMs: number;
  readonly processorMs: number;
};

/** Linux counts in hundredths of a second, whatever the machine. */
const TICK_MS = 10;

/** Adds a line to the file that `TEST_COSTS` names, if it names one. */
export function noteCost(cost: FileCost): void {
  const { TEST_COSTS } = process.env;
  if (TEST_COSTS !== undefined) appendFileSync(TEST_COSTS, `${JSON.stringify(cost)}\n`);
}

/** What every process noted so far. */
export function readCosts(path: string): FileCost[] {
  return readFileSync(path, { encoding: 'utf8', flag: 'a+' })
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as FileCost);
}

/** The processor time of this process until now, and of its children that have ended. */
export function readProcessorMs(): number {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // utime, stime, cutime, cstime: proc_pid_stat(5), whose third field is the first here.
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * TICK_MS, 0);
  } catch {
    const { user, system } = process.cpuUsage(); // Not Linux: without the children.
    return Math.round((user + system) / 1_000);
  }
}
