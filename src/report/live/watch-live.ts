import { type News, parseEventNews, toPaymentNews } from './news.ts';
import type { NewsSources, QueueMarks, WaitingEvents } from './ports.ts';
import { createSiteFeed, type Listener, type LivePosition, type SiteFeed } from './site-feed.ts';
import { findStoredNews } from './stored-news.ts';
import { tellAgain } from './tell-again.ts';

/** Tells who listens what is accepted on a site, by whichever process. */
export interface LiveWatch {
  /** False when as many listen already as may. */
  hasRoom(siteId: string): boolean;
  /** Tells from now on, or from the position on; answers a function that ends it. */
  listen(siteId: string, listener: Listener, after?: LivePosition): () => void;
  /** Ends every stream, and lets nobody listen any more. */
  close(): void;
}

/** How many may listen, to one site and in all. */
const LISTENERS_OF_SITE_MAX = 32;
const LISTENERS_MAX = 256;
/** How often the queues are looked at, and how long the warehouse rests between two looks. */
const LOOK_EVERY_MS = 300;
const ASK_EVERY_MS = 750;
/** What the warehouse has it has late: so far back it is asked, and so far after it was away. */
const LOOK_BACK_MS = 60_000;
const LOOK_BACK_MAX_MS = 300_000;
/** From this silence on the warehouse is away. */
const SILENCE_MAX_MS = 3_000;
/** Who begins to listen hears what was accepted this much earlier. */
const LEAD_MS = 1_000;

/**
 * A watch over news, for one process. Nothing is looked at while nobody listens, and once for all who do.
 *
 * - Why both queues and warehouse: an event is in a queue at once, but may leave it between two looks; the
 *   warehouse has it then. While that is away, events stay in their queues.
 * - `now` in milliseconds, UTC.
 */
export function watchLive(sources: NewsSources, now: () => number): LiveWatch {
  const feeds = new Map<string, SiteFeed>();
  let waiting: WaitingEvents | undefined;
  let marks: QueueMarks = new Map();
  let version = 0n;
  let answeredAt = 0;
  let isAway = false;
  let isClosed = false;
  let timers: NodeJS.Timeout[] = [];

  function begin(): void {
    waiting = sources.openWaitingEvents();
    marks = waiting.findEnds();
    version = sources.findNewPayments(2n ** 62n).version;
    answeredAt = now();
    isAway = false;
    timers = [setInterval(look, LOOK_EVERY_MS).unref(), setInterval(ask, ASK_EVERY_MS).unref()];
  }

  function end(): void {
    for (const timer of timers) clearInterval(timer);
    waiting?.close();
    waiting = undefined;
  }

  function offer(news: readonly News[]): void {
    const newsBySite = Map.groupBy(news, ({ siteId }) => siteId);
    for (const [siteId, own] of newsBySite) feeds.get(siteId)?.offer(own, version);
  }

  function look(): void {
    offer([...lookAtPayments(), ...lookAtQueues()]);
    noteAnswer(now() - answeredAt > SILENCE_MAX_MS);
  }

  /** What cannot be read just now is read with the next look. */
  function lookAtPayments(): News[] {
    try {
      const found = sources.findNewPayments(version);
      version = found.version;
      return found.payments.filter(({ siteId }) => feeds.has(siteId)).flatMap(toPaymentNews);
    } catch {
      return [];
    }
  }

  function lookAtQueues(): News[] {
    try {
      const read = waiting?.read(marks, [...feeds.keys()]);
      if (read === undefined) return [];
      marks = read.marks;
      return read.lines.flatMap((line) => parseEventNews(line) ?? []);
    } catch {
      return [];
    }
  }

  let isAsking = false;
  async function ask(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    const at = now();
    const back = Math.min(LOOK_BACK_MS + at - answeredAt, LOOK_BACK_MAX_MS);
    const earliest = Math.min(...[...feeds.values()].map((feed) => feed.floor()));
    try {
      offer(await findStoredNews(sources, [...feeds.keys()], Math.max(earliest, at - back)));
      answeredAt = now();
      noteAnswer(false);
    } catch {
      // Silence is noted by who looks at the clock.
    } finally {
      isAsking = false;
    }
  }

  function noteAnswer(isSilent: boolean): void {
    if (isSilent === isAway) return;
    isAway = isSilent;
    for (const feed of feeds.values()) feed.tell(feed.toStatus(statusNow(), version));
  }

  function statusNow() {
    return { warehouse: isAway ? 'away' : 'there' } as const;
  }

  return {
    hasRoom(siteId) {
      const all = [...feeds.values()].reduce((sum, { listeners }) => sum + listeners.size, 0);
      const ofSite = feeds.get(siteId)?.listeners.size ?? 0;
      return !isClosed && all < LISTENERS_MAX && ofSite < LISTENERS_OF_SITE_MAX;
    },
    listen(siteId, listener, after) {
      if (feeds.size === 0) begin();
      const feed = feeds.get(siteId) ?? createSiteFeed(now() - LEAD_MS);
      feeds.set(siteId, feed);
      const entry =
        after === undefined
          ? listener
          : tellAgain(after, listener, { siteId, feed, sources, waiting, version, now });
      feed.listeners.add(entry);
      if (after === undefined) listener.send([feed.toStatus(statusNow(), version)]);
      return () => {
        feed.listeners.delete(entry);
        if (feed.listeners.size > 0 || feeds.get(siteId) !== feed) return;
        feeds.delete(siteId);
        if (feeds.size === 0) end();
      };
    },
    close() {
      isClosed = true;
      const listeners = [...feeds.values()].flatMap((feed) => [...feed.listeners]);
      for (const listener of listeners) listener.end();
      feeds.clear();
      end();
    },
  };
}
