import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** No input may keep the server from all other requests for longer. */
export const STALL_MAX_MS = 50;

/** Names the file, in the server's environment, to which report-stalls.ts writes. */
export const STALLS_TOLD_TO = 'TORTURE_STALLS_TOLD_TO';

/** Work that stalls the event loop is done again so often: what an input does, it does each time. */
const TRIES_MAX = 8;
/** By then a stall at the end of the work is reported. */
const TOLD_AFTER_MS = 50;

/** Measures how long the server's event loop stands still, inside the server. */
export interface StallWatch {
  /** What the server's environment must have. */
  readonly env: Readonly<Record<string, string>>;
  /** The longest stall that came back whenever its work was repeated. */
  readonly longestMs: number;
  /** What `work` answers the last time; it is repeated while a stall is too long. */
  during<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** A watch over the event loop of a web process, which reports its stalls to the file at `path`. */
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
