import {
  type DehydratedState,
  dehydrate,
  hydrate,
  type Query,
  type QueryClient,
} from '@tanstack/react-query';
import { DAY_MS } from '#domain/time/durations.ts';
import { findStorage } from '../ui/device.ts';
import { QUERY_PATH } from './query.ts';

const PLACE = 'tributary-answers';
const KEPT_MS = DAY_MS;
/** Browsers grant a site a few megabytes; nobody looks again at more figures than this. */
const LENGTH_MAX = 400_000;
const ANSWERS_MAX = 60;
const SAVE_AFTER_MS = 1_000;

type Kept = {
  /** Whose answers they are. */
  readonly userId: string;
  /** The build that stored them: others may query differently. */
  readonly build: string;
  readonly at: number;
  readonly state: DehydratedState;
};

/** Restores a person's last figures until fresh ones arrive. Discards those that are old or someone else's. */
export function restoreAnswers(client: QueryClient, userId: string): void {
  try {
    const kept = JSON.parse(localStorage.getItem(PLACE) ?? 'null') as Kept | null;
    if (kept === null) return;
    const isOwn = kept.userId === userId && kept.build === BUILD;
    if (!isOwn || Date.now() - kept.at > KEPT_MS) {
      forgetAnswers();
      return;
    }
    hydrate(client, kept.state);
    void client.invalidateQueries({ predicate: isKept, refetchType: 'none' });
  } catch {
    forgetAnswers(); // Unreadable, or storage is blocked.
  }
}

/** Saves a person's figures as they arrive, for their next visit. Returns a function that stops it. */
export function keepAnswers(client: QueryClient, userId: string): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const save = () => {
    const text = toText(client, userId);
    try {
      if (text !== undefined) localStorage.setItem(PLACE, text);
    } catch {
      // Storage full or blocked: the next visit has to wait for its figures again.
    }
  };
  const end = client.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || !isKept(query)) return;
    clearTimeout(timer);
    timer = setTimeout(save, SAVE_AFTER_MS);
  });
  return () => {
    clearTimeout(timer);
    end();
  };
}

/** Discards the stored answers, on sign-out. */
export function forgetAnswers(): void {
  findStorage()?.removeItem(PLACE);
}

/** The script's file name contains its content hash. */
const BUILD = new URL(import.meta.url).pathname;

/** Only figures are kept: people's names and addresses never are. */
function isKept({ queryKey, state }: Query): boolean {
  return queryKey[1] === QUERY_PATH && state.status === 'success';
}

/** Serializes the newest answers; undefined if too long, or if none is left because the person signs out. */
function toText(client: QueryClient, userId: string): string | undefined {
  const latest = client
    .getQueryCache()
    .getAll()
    .filter(isKept)
    .toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
    .slice(0, ANSWERS_MAX);
  if (latest.length === 0) return undefined;
  const among = new Set(latest);
  const state = dehydrate(client, { shouldDehydrateQuery: (query) => among.has(query) });
  const kept: Kept = { userId, build: BUILD, at: Date.now(), state };
  const text = JSON.stringify(kept);
  return text.length > LENGTH_MAX ? undefined : text;
}
