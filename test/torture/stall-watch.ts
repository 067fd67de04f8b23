import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Maximum time that an input may block all other requests. */
export const STALL_MAX_MS = 50;

/** The server's environment variable for the file that report-stalls.ts writes. */
export const STALLS_TOLD_TO = 'TORTURE_STALLS_TOLD_TO';

/** How often to repeat work that stalls the event loop: an input's effect recurs every time. */
const TRIES_MAX = 8;
/** By then a stall at the end of the work is reported. */
const TOLD_AFTER_MS = 50;

/** Measures the server's event loop stalls, inside the server. */
export interface StallWatch {
  /** Required environment of the server. */
  readonly env: Readonly<Record<string, string>>;
  /** The longest stall that recurred whenever its work was repeated. */
  readonly longestMs: number;
  /** The last result of `work`, which is repeated while a stall is too long. */
  during<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** A watch over a web process's event loop, which reports stalls to the file at `path`. */
export function createStallWatch(path: string, log: (line: string) => void): StallWatch {
  let longestMs = 0;
  return {
    env: {
      NODE_OPTIONS: `--import=${new URL('./report-stalls.ts', import.meta.url).href}`,
      [STALLS_TOLD_TO]: path,
    },
    get longestMs() {
      return longestMs;
    },
    async during(name, work) {
      let shortestMs = Number.POSITIVE_INFINITY;
      for (let tries = 1; ; tries++) {
        writeFileSync(path, '');
        const answer = await work();
        await sleep(TOLD_AFTER_MS);
        shortestMs = Math.min(shortestMs, readLongest(path));
        log(`${name}: sent, the longest stall is ${shortestMs} ms`);
        if (shortestMs <= STALL_MAX_MS || tries === TRIES_MAX) {
          longestMs = Math.max(longestMs, shortestMs);
          return answer;
        }
      }
    },
  };
}

function readLongest(path: string): number {
  return Math.max(0, ...readFileSync(path, 'utf8').split('\n').map(Number));
}
