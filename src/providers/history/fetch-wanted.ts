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

/** After so many requests in a row without an answer, the provider is down. Fewer are objects that it cannot give. */
const UNANSWERED_MAX = 5;

/** Fetches the objects that events only name. Returns whether the provider answered for each: if not, some wait. */
export async function fetchWanted(
  wanted: readonly WantedObject[],
  ports: FetchPorts,
): Promise<boolean> {
  let unanswered = 0;
  let hasAnsweredAll = true;
  for (const { eventId, ...object } of wanted) {
    const { found, waitMs } = await fetchObject(object, ports);
    if (found !== undefined) {
      unanswered = 0;
      await ports.save(eventId, found);
      continue;
    }
    hasAnsweredAll = false;
    unanswered += 1;
    if (waitMs !== undefined || unanswered === UNANSWERED_MAX) break;
  }
  return hasAnsweredAll;
}

type Fetched = { readonly found?: HistoryPage | string; readonly waitMs?: number | undefined };

/** Fetches an object, or finds why there is none. Neither if the provider does not answer. */
async function fetchObject(
  { list, path }: Omit<WantedObject, 'eventId'>,
  { backfill, ask, prefix, now }: FetchPorts,
): Promise<Fetched> {
  const page = { list, since: 0, until: now() };
  const asked = await ask((secrets) => {
    const { headers } = backfill.request(page, secrets);
    return { path, headers };
  });
  if (asked.kind === 'later') return { waitMs: asked.waitMs };
  if (asked.kind === 'refused') return { found: `Its object could not be fetched. ${asked.why}` };
  const found = toEntries(list, backfill.read(page, asked.answer).translations, prefix);
  const isNothing = found.entries.length === 0 && !found.fault;
  return { found: isNothing ? 'Its object says nothing of a payment.' : found };
}
