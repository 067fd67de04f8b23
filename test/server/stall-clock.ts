import { readdirSync, readFileSync } from 'node:fs';

/**
 * How long processes were kept from their work by a busy machine until now, in milliseconds: what
 * their threads waited for a processor, one after the other, and what the machine waited for its disks.
 *
 * Why: a promise of so many seconds is judged by the time that is left without it, so that it is
 * judged each time, busy or not. On a machine with nothing else to do hardly anything goes.
 */
export function readStalledMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + readWaitedMs(pid), readDisksMs());
}

/** The second number is of nanoseconds: proc_pid_schedstat in the kernel's sched-stats.rst. */
function readWaitedMs(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .map((thread) => readText(`/proc/${pid}/task/${thread}/schedstat`))
      .reduce((sum, text) => sum + Number(text.split(' ')[1] ?? 0) / 1e6, 0);
  } catch {
    return 0; // It has ended.
  }
}

/** Time in which anything waited for a disk: psi.rst of the kernel. */
function readDisksMs(): number {
  const [, microseconds = 0] = /^some .*total=(\d+)/.exec(readText('/proc/pressure/io')) ?? [];
  return Number(microseconds) / 1e3;
}

/** Empty where there is none: threads end, and not every kernel tells. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
