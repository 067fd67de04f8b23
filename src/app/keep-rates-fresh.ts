import type { ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { startCommand } from './run-command.ts';

/** Where rates come from, and the file that keeps when they were last asked for. */
export type FreshRates = {
  readonly url: string;
  readonly askedPath: string;
  readonly dataDir: string;
  readonly now: () => number;
  /** Called for the first of several failures. The next day is the next try. */
  readonly onFailure: (reason: string) => void;
};

/** Fetches rates until it is stopped. */
export interface RatesFetcher {
  /** Fetches now, unless it did within a day. Resolves when it is done, and never rejects. */
  look(): Promise<void>;
  stop(): void;
}

/** Nobody waits for rates, but a start is busy. */
const FIRST_LOOK_MS = 5_000;
const LOOK_EVERY_MS = 3_600_000;
const DAY_MS = 24 * LOOK_EVERY_MS;

/**
 * Fetches newer exchange rates once a day, in a process of its own.
 *
 * Why the request is noted before it is sent: whatever fails or ends, there is never more than one a day.
 */
export function keepRatesFresh(rates: FreshRates): RatesFetcher {
  const { url, askedPath, dataDir, now, onFailure } = rates;
  let child: ChildProcess | undefined;
  let isFailing = false;
  let isStopped = false;

  async function look(): Promise<void> {
    try {
      if (mayAsk(askedPath, now())) await fetchRates();
    } catch (error) {
      if (!isFailing && !isStopped) onFailure((error as Error).message);
      isFailing = true;
    }
  }

  async function fetchRates(): Promise<void> {
    const command = startCommand(dataDir, ['rates', 'update', url, '--json']);
    child = command.child;
    const { code, errors } = await command.ended;
    child = undefined;
    if (code !== 0) throw new Error(errors.trim().split('\n').at(-1));
    isFailing = false;
  }

  const timers = [setTimeout(look, FIRST_LOOK_MS), setInterval(look, LOOK_EVERY_MS)];
  for (const timer of timers) timer.unref();
  return {
    look,
    stop() {
      isStopped = true;
      for (const timer of timers) clearTimeout(timer);
      child?.kill();
    },
  };
}

/** Whether the last request was a day ago, and notes one now. */
function mayAsk(path: string, now: number): boolean {
  const asked = readAsked(path);
  if (asked !== undefined && asked <= now && now - asked < DAY_MS) return false;
  writeFileSync(path, new Date(now).toISOString(), { flush: true });
  // A clock that was ahead is back: it may have been asked just now.
  return asked === undefined || asked <= now;
}

function readAsked(path: string): number | undefined {
  try {
    return Date.parse(readFileSync(path, 'utf8')) || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
