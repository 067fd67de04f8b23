import { readdirSync, readFileSync } from 'node:fs';

/** Tells a process that is busy, or starved by others, from one that waits for what never comes. */
export interface WorkWatch {
  /**
   * Whether its threads worked, or stood ready and waited for a processor, for most of the time
   * since the last look. True at the first one, as nothing speaks against it yet; then false where the
   * kernel does not tell.
   */
  isAtWork(): boolean;
  /** The next look is the first again. */
  forget(): void;
}

/** Of the time between two looks, summed over all threads: an idle engine comes to some hundredths. */
const BUSY_SHARE = 0.5;

/** A watch over the process of this id. */
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
 * How long a process's main thread has run, and whether it waits for a processor or the disk just now;
 * nothing where the kernel does not tell.
 */
export function readMainThread(
  pid: number,
): { readonly ranMs: number; readonly isWaiting: boolean } | undefined {
  try {
    const folder = `/proc/${pid}/task/${pid}`;
    const ranMs = Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
    // Its state follows its name, which may hold anything. Source: proc_pid_stat(5).
    const state = /.*\) (\w)/s.exec(readFileSync(`${folder}/stat`, 'utf8'))?.[1];
    return { ranMs, isWaiting: state === 'R' || state === 'D' };
  } catch {
    return undefined;
  }
}

/** Of each thread, the milliseconds that it ran or was ready to run. */
function readThreads(pid: number): Map<string, number> {
  const folder = `/proc/${pid}/task`;
  const doneMs = new Map<string, number>();
  for (const thread of listThreads(folder)) {
    try {
      // Source: the kernel's Documentation/scheduler/sched-stats.rst.
      const [ran, waited] = readFileSync(`${folder}/${thread}/schedstat`, 'utf8').split(' ');
      doneMs.set(thread, (Number(ran) + Number(waited)) / 1e6);
    } catch {
      // The thread has ended since.
    }
  }
  return doneMs;
}

/** None where the process has ended, or there is no /proc: then nothing speaks for it. */
function listThreads(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
