import { ApiError, send } from '../../api/api.ts';
import { addMessage, type Feed, openEventParser, toPauseMs } from './feed.ts';

type FeedStore = {
  readonly read: () => Feed;
  readonly write: (feed: Feed) => void;
};

/** A stream that lasted this long was healthy: retry soon. */
const STEADY_MS = 10_000;
/** The server sends something every 15 seconds; longer silence means a dead connection. */
const SILENCE_MAX_MS = 40_000;

/** Reads a site's stream, reconnecting after each loss, until it is closed or refused for good. */
export async function followFeed(
  siteId: string,
  closing: AbortSignal,
  store: FeedStore,
): Promise<void> {
  let tries = 0;
  while (!closing.aborted) {
    const began = Date.now();
    const error = await readOnce(siteId, closing, store).catch((each: unknown) => each);
    if (closing.aborted) return;
    if (error instanceof ApiError && !error.isPassing) {
      return store.write({ ...store.read(), connection: 'refused', refusal: error.message });
    }
    store.write({ ...store.read(), connection: 'lost' });
    if (Date.now() - began > STEADY_MS) tries = 0;
    await pause(toPauseMs(tries++), closing);
  }
}

/** Resolves when the stream ends. Throws if there is none, if it goes silent, or if it is closed. */
async function readOnce(siteId: string, closing: AbortSignal, store: FeedStore): Promise<void> {
  const losing = new AbortController();
  const lose = () => losing.abort();
  let silence = setTimeout(lose, SILENCE_MAX_MS);
  addEventListener('offline', lose, { once: true, signal: closing });
  try {
    const response = await send('/api/v1/live/stream', {
      site: siteId,
      accept: 'text/event-stream',
      lastId: store.read().lastId,
      signal: AbortSignal.any([closing, losing.signal]),
    });
    const parse = openEventParser();
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
      clearTimeout(silence);
      silence = setTimeout(lose, SILENCE_MAX_MS);
      const messages = parse(part.value);
      if (messages.length > 0) store.write(messages.reduce(addMessage, store.read()));
    }
  } finally {
    clearTimeout(silence);
    removeEventListener('offline', lose);
  }
}

/** Waits, or less if the browser comes back online. */
function pause(ms: number, closing: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer);
      removeEventListener('online', go);
      resolve();
    };
    const timer = setTimeout(go, ms);
    addEventListener('online', go, { once: true });
    closing.addEventListener('abort', go, { once: true });
  });
}
