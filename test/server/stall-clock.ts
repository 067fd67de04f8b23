import { readdirSync, readFileSync } from 'node:fs';

/**
 * How long a busy machine has kept processes from working, in milliseconds: the time their threads waited for a
 * processor, added up, and the time the machine waited for its disks.
 *
 * Why: a promise in seconds is judged by the time left without it, and so on every run, busy or not. On an idle
 * machine, this is almost nothing.
 */
export function readStalledMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + readWaitedMs(pid), readDisksMs());
}

/** The second number is in nanoseconds: proc_pid_schedstat in the kernel's sched-stats.rst. */
function readWaitedMs(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .map((thread) => readText(`/proc/${pid}/task/${thread}/schedstat`))
      .reduce((sum, text) => sum + Number(text.split(' ')[1] ?? 0) / 1e6, 0);
  } catch {
    return 0; // It has ended.
  }
}

/** Time in which anything waited for a disk: the kernel's psi.rst. */
function readDisksMs(): number {
  const [, microseconds = 0] = /^some .*total=(\d+)/.exec(readText('/proc/pressure/io')) ?? [];
  return Number(microseconds) / 1e3;
}

/** Empty if missing: threads end, and not every kernel reports it. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
