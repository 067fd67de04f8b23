import { appendFileSync, readFileSync } from 'node:fs';

/**
 * Loaded into the process of a test file: notes at its end what it and the processes that it
 * waited for took, as a line of JSON in the file that `TEST_COSTS` names.
 */

/** What a test file took. Processor time is that of its children too. */
export type FileCost = {
  readonly file: string;
  readonly wallMs: number;
  readonly processorMs: number;
};

/** Linux counts in hundredths of a second, whatever the machine. */
const TICK_MS = 10;

const { TEST_COSTS } = process.env;
delete process.env.TEST_COSTS; // Processes that the test starts are counted with it.
const [, file = ''] = process.argv;
if (TEST_COSTS !== undefined && file.endsWith('.test.ts')) {
  process.on('exit', () => {
    const wallMs = Math.round(performance.now());
    const cost: FileCost = { file, wallMs, processorMs: readProcessorMs() };
    appendFileSync(TEST_COSTS, `${JSON.stringify(cost)}\n`);
  });
}

function readProcessorMs(): number {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // utime, stime, cutime, cstime: proc_pid_stat(5), whose first field here is the third there.
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * TICK_MS, 0);
  } catch {
    const { user, system } = process.cpuUsage(); // Not Linux: without the children.
    return Math.round((user + system) / 1_000);
  }
}
