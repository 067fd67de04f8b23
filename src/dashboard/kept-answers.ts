import {
  type DehydratedState,
  dehydrate,
  hydrate,
  type Query,
  type QueryClient,
} from '@tanstack/react-query';

const PLACE = 'tributary-answers';
const KEPT_MS = 24 * 3_600_000;
/** Browsers give a site some megabytes; more than that of figures nobody looks at again. */
const LENGTH_MAX = 400_000;
const ANSWERS_MAX = 60;
const SAVE_AFTER_MS = 1_000;
/** Queries of figures: names and addresses of people are never kept. */
const KEPT_PATH = '/api/v1/query';

type Kept = {
  /** Whose answers these are. */
  readonly userId: string;
  /** Of which build: another one may ask, and understand, otherwise. */
  readonly build: string;
  readonly at: number;
  readonly state: DehydratedState;
};

/** Shows a person's last figures again, until fresh ones are there. What is another's, or old, is thrown away. */
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
    forgetAnswers(); // Unreadable, or the browser keeps nothing.
  }
}

/** Keeps a person's figures for their next visit, for as long as they come in. Returns what ends it. */
export function keepAnswers(client: QueryClient, userId: string): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const save = () => {
    const text = toText(client, userId);
    try {
      if (text !== undefined) localStorage.setItem(PLACE, text);
    } catch {
      // Full, or forbidden: the next visit waits for its figures, as the first one did.
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

/** Throws away what is kept: somebody signs out. */
export function forgetAnswers(): void {
  try {
    localStorage.removeItem(PLACE);
  } catch {
    // Nothing was kept either.
  }
}

/** The script's own name has the hash of what it holds. */
const BUILD = new URL(import.meta.url).pathname;

function isKept({ queryKey, state }: Query): boolean {
  return queryKey[1] === KEPT_PATH && state.status === 'success';
}

/** The latest answers as a text; undefined when they are too long. */
function toText(client: QueryClient, userId: string): string | undefined {
  const latest = client
    .getQueryCache()
    .getAll()
    .filter(isKept)
    .toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
    .slice(0, ANSWERS_MAX);
  const among = new Set(latest);
  const state = dehydrate(client, { shouldDehydrateQuery: (query) => among.has(query) });
  const kept: Kept = { userId, build: BUILD, at: Date.now(), state };
  const text = JSON.stringify(kept);
  return text.length > LENGTH_MAX ? undefined : text;
}
