import type { HistoryPage, WantedObject } from '#domain/money/walk.ts';
import type { Backfill } from '../provider.ts';
import type { AskProvider } from './ask-provider.ts';
import { toEntries } from './to-entries.ts';

/** What fetching needs. */
type FetchPorts = {
  readonly backfill: Backfill;
  readonly ask: AskProvider;
  readonly prefix: string | undefined;
  now(): number;
  /** Records the object, or why there is none. */
  save(eventId: string, found: HistoryPage | string): Promise<void>;
};

/** Fetches the objects that events only name. Returns whether the provider answered: if not, they wait. */
export async function fetchWanted(
  wanted: readonly WantedObject[],
  { backfill, ask, prefix, now, save }: FetchPorts,
): Promise<boolean> {
  for (const { eventId, list, path } of wanted) {
    const page = { list, since: 0, until: now() };
    const asked = await ask((secrets) => {
      const { headers } = backfill.request(page, secrets);
      return { path, headers };
    });
    if (asked.kind === 'later') return false;
    const found =
      asked.kind === 'refused'
        ? `Its object could not be fetched. ${asked.why}`
        : toEntries(list, backfill.read(page, asked.answer).translations, prefix);
    const isNothing = typeof found !== 'string' && found.entries.length === 0 && !found.fault;
    await save(eventId, isNothing ? 'Its object says nothing of a payment.' : found);
  }
  return true;
}
