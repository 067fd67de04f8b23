import { MINUTE_MS } from '#domain/time/durations.ts';
import { keepRunning } from '#jobs/keep-running.ts';
import { fetchWanted } from './fetch-wanted.ts';
import { type HistoryPorts, openApi, walkConnection } from './walk-connection.ts';

/** The options of {@link keepWalking}. */
type WalkingOptions = HistoryPorts & {
  /** Whether any provider is connected. Without, nothing is looked for. */
  isNeeded(): boolean;
  /** Called when the ledger does not say what to do. */
  onFailure(reason: string): void;
};

const LOOK_EVERY_MS = 2_000;
/** How many connections are walked at the same time. */
const WALKS_MAX = 4;
const WANTED_MAX = 50;
/** After a provider did not answer. */
const WANTED_PAUSE_MS = MINUTE_MS;

/** Keeps walking what is due, and fetching what events only name. */
export function keepWalking(options: WalkingOptions): { stop(): Promise<void> } {
  const { ledger, holder, now, isNeeded, onFailure } = options;
  const pausedUntil = new Map<string, number>();

  async function fetchAll(stopped: AbortSignal): Promise<void> {
    for (const id of await ledger.listWanting()) {
      const api = openApi(id, options);
      if (stopped.aborted || api === undefined || (pausedUntil.get(id) ?? 0) > now()) continue;
      const wanted = await ledger.findWanted(id, WANTED_MAX);
      const hasAnswered = await fetchWanted(wanted, {
        ...{ backfill: api.provider.backfill, ask: api.ask, prefix: api.prefix, now },
        save: (...found) => ledger.saveWanted(id, ...found),
      });
      if (!hasAnswered) pausedUntil.set(id, now() + WANTED_PAUSE_MS);
      await options.onEntries();
    }
  }

  async function walkAll(stopped: AbortSignal): Promise<boolean> {
    const turns = Array.from({ length: WALKS_MAX }, async () => {
      const held = await ledger.holdWalk(holder);
      if (held !== undefined) await walkConnection(held, options, { stopped });
      return held !== undefined;
    });
    return (await Promise.all(turns)).includes(true);
  }

  const job = keepRunning({
    ...{ name: 'provider history', everyMs: LOOK_EVERY_MS, retryMs: [LOOK_EVERY_MS, MINUTE_MS] },
    onChange: (failure) => failure && onFailure(failure.message),
    async run(stopped) {
      if (!isNeeded()) return;
      await fetchAll(stopped);
      while (!stopped.aborted && (await walkAll(stopped)));
    },
  });
  return { stop: job.stop };
}
