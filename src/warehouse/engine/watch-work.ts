import { readdirSync, readFileSync } from 'node:fs';

interface WorkWatch {
  /**
   * Whether its threads ran, or were runnable, for most of the time since the last call. The first call returns true.
   * Later calls return false if the kernel has no statistics.
   */
  isAtWork(): boolean;
  /** Resets the watch: the next call counts as the first. */
  forget(): void;
}

/** Share of the time between two calls, summed over all threads. An idle engine has a few hundredths. */
const BUSY_SHARE = 0.5;

/** Creates a watch for a process. */
export function watchWork(pid: number): WorkWatch {
  let last: { readonly at: number; readonly doneMs: ReadonlyMap<string, number> } | undefined;
  return {
    isAtWork() {
      const before = last;
      const now = { at: performance.now(), doneMs: readThreads(pid) };
      last = now;
      if (before === undefined) return true;
      let doneMs = 0;
      for (const [thread, ms] of now.doneMs) doneMs += ms - (before.doneMs.get(thread) ?? 0);
      return doneMs > BUSY_SHARE * (now.at - before.at);
    },
    forget() {
      last = undefined;
    },
  };
}

/**
 * The CPU time of a process's main thread, and whether it has or awaits a CPU or the disk. Undefined if the kernel
 * has no statistics.
 */
export function readMainThread(
  pid: number,
): { readonly ranMs: number; readonly isWaiting: boolean } | undefined {
  try {
    const folder = `/proc/${pid}/task/${pid}`;
    const ranMs = Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
    // The state follows the name, which may contain anything. Source: proc_pid_stat(5).
    const state = /.*\) (\w)/s.exec(readFileSync(`${folder}/stat`, 'utf8'))?.[1];
    return { ranMs, isWaiting: state === 'R' || state === 'D' };
  } catch {
    return undefined;
  }
}

/** Milliseconds that each thread ran or was runnable. */
function readThreads(pid: number): Map<string, number> {
  const folder = `/proc/${pid}/task`;
  const doneMs = new Map<string, number>();
  for (const thread of listThreads(folder)) {
    try {
      // Source: the kernel's Documentation/scheduler/sched-stats.rst.
      const [ran, waited] = readFileSync(`${folder}/${thread}/schedstat`, 'utf8').split(' ');
      doneMs.set(thread, (Number(ran) + Number(waited)) / 1e6);
    } catch {
      // The thread has ended.
    }
  }
  return doneMs;
}

/** The threads of a process; none if it has ended or there is no /proc. */
function listThreads(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
