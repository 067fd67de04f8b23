import { readFileSync } from 'node:fs';

/** Resident memory and CPU time of a process tree, as counted by Linux. */
export type Usage = { readonly residentMb: number; readonly cpuMs: number };

const TICKS_PER_SECOND = 100;

/**
 * Adds up the usage of each living process in the list.
 *
 * Why the proportional set size: pages shared by processes are in memory only once.
 */
export function measureProcesses(pids: readonly number[]): Usage {
  let residentKb = 0;
  let ticks = 0;
  for (const pid of pids) {
    try {
      const pages = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
      residentKb += Number(/^Pss:\s+(\d+)/m.exec(pages)?.[1] ?? 0);
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // It has ended.
    }
  }
  return { residentMb: residentKb / 1024, cpuMs: (ticks * 1000) / TICKS_PER_SECOND };
}
