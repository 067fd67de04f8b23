import { readFileSync, writeFileSync } from 'node:fs';
import { findOldDay } from '#domain/money/rates/describe-old-rates.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import { openRates } from '#enrich/rates/open-rates.ts';
import { keepRunning } from '#jobs/keep-running.ts';
import { startCommand } from './run-command.ts';

type FreshRates = {
  /** Where newer rates come from; undefined for nowhere. */
  readonly url: string | undefined;
  /** The file of rates. */
  readonly path: string;
  readonly dataDir: string;
  readonly now?: () => number;
  /** Called every few seconds: a command may have changed the rates. */
  readonly onLook: () => void;
  readonly onFailure: (reason: string) => void;
};

const LOOK_EVERY_MS = 10_000;

/**
 * Fetches newer exchange rates once a day, in a process of its own.
 *
 * Why the request is noted before it is sent: whatever fails or ends, there is never more than one a day.
 */
export function keepRatesFresh(rates: FreshRates) {
  const { url, path, dataDir, now = Date.now, onLook, onFailure } = rates;
  const askedPath = path.replace(/(\.csv)?$/, '-asked'); // When they were last asked for.
  const files = openRates(path);
  const fetching = keepRunning({
    ...{ name: 'exchange_rates', everyMs: LOOK_EVERY_MS },
    async run(stopped) {
      onLook();
      if (url === undefined || !mayAsk(askedPath, now())) return;
      const { child, ended } = startCommand(dataDir, ['rates', 'update', url, '--json']);
      stopped.addEventListener('abort', () => child.kill());
      const { code, errors } = await ended;
      if (code !== 0) throw new Error(errors.trim().split('\n').at(-1));
    },
    onChange(failure) {
      if (failure !== undefined) onFailure(failure.message);
    },
  });
  return {
    /** The last day with rates, if it is some days ago: `YYYY-MM-DD`. */
    findOldDay: () => findOldDay(files.lastDay(), now()),
    spansOf: files.spansOf,
    look: fetching.runNow,
    stop: fetching.stop,
  };
}

/** Whether the last request was a day ago. If so, notes one now. */
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
