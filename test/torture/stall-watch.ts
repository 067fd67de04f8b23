import type { TortureServer } from './torture-server.ts';

/** No input may keep the server from all other requests for longer. */
export const STALL_MAX_MS = 50;

/** Work that stalls the event loop is done again so often: what an input does, it does each time. */
const TRIES_MAX = 4;

/** Measures how long the server's event loop stands still, inside the server. */
export interface StallWatch {
  /** The longest stall that came back whenever its work was repeated. */
  readonly longestMs: number;
  /** What `work` answers the last time; it is repeated while a stall is too long. */
  during<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/**
 * A watch over the event loop of the web process, by its own histogram on `/metrics`, whose maximum
 * begins anew with each look.
 *
 * Why repeated: two cores that others use stall whoever they like; an input that stalls the loop does
 * so every time.
 */
export function createStallWatch(
  server: Pick<TortureServer, 'url'>,
  log: (line: string) => void,
): StallWatch {
  let longestMs = 0;
  return {
    get longestMs() {
      return longestMs;
    },
    async during(name, work) {
      let shortestMs = Number.POSITIVE_INFINITY;
      for (let tries = 1; ; tries++) {
        await readLongestStall(server);
        const answer = await work();
        shortestMs = Math.min(shortestMs, await readLongestStall(server));
        log(`${name}: sent, the longest stall is ${shortestMs} ms`);
        if (shortestMs <= STALL_MAX_MS || tries === TRIES_MAX) {
          longestMs = Math.max(longestMs, shortestMs);
          return answer;
        }
      }
    },
  };
}

async function readLongestStall({ url }: Pick<TortureServer, 'url'>): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const seconds = /^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1];
  return Math.round(Number(seconds) * 10_000) / 10;
}
