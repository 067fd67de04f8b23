import { setTimeout as sleep } from 'node:timers/promises';
import type { ReportStatement } from '../ports.ts';
import {
  createLiveCursor,
  type LiveCursor,
  type LiveMessage,
  type LivePosition,
} from './live-cursor.ts';
import { NEWEST_MAX, type News, type NewsRow, toNews, toNewsStatement } from './news.ts';

/** Sends what is accepted on a site to its listeners. */
export interface LiveWatch {
  /** False when no more may listen. */
  hasRoom(siteId: string): boolean;
  /** Sends from now on, or from the position on; answers a function that ends it. */
  listen(siteId: string, listener: Listener, after?: LivePosition): () => void;
  /** Ends every stream, and takes no new one. */
  close(): void;
}

/** A stream to somebody. */
export interface Listener {
  send(messages: readonly LiveMessage[]): void;
  /** The stream ends: the service does. */
  end(): void;
}

/** What the watch needs of the stores. */
export interface LiveSources {
  /** Resolves when the warehouse has every event accepted by now. Throws when that takes long. */
  ship(): Promise<void>;
  /** Queries the warehouse, beside the reports' queries. Throws when it does not answer. */
  select<Row>(statement: ReportStatement): Promise<Row[]>;
}

/** How many may listen, to one site and in all. */
const LISTENERS_OF_SITE_MAX = 32;
const LISTENERS_MAX = 256;
const LOOK_EVERY_MS = 1_000;
/** A backlog takes longer; a look does not wait for its end. */
const SHIPPING_MAX_MS = 600;
/** Payments follow their events to the warehouse. */
const PAYMENTS_LATER_MS = 150;
/** The warehouse has events late: each look finds so much again, and more after an outage. */
const LOOK_BACK_MS = 60_000;
const LOOK_BACK_MAX_MS = 300_000;
/** From this silence on the warehouse is away. */
const SILENCE_MAX_MS = 3_000;
/** A new listener hears what was accepted this much earlier. */
const LEAD_MS = 1_000;
/** Events are on disk a little after they are accepted, and may overtake each other. */
const OVERLAP_MS = 2_000;
/** How much is sent of one look; of more, the newest. Nobody reads faster. */
const SENT_MAX = 200;

const NEWEST_VERSION = { sql: 'SELECT max(version) AS version FROM payments' };

type Stream = {
  readonly siteId: string;
  readonly listener: Listener;
  readonly cursor: LiveCursor;
  /** It is sent nothing before what it missed. */
  isCatchingUp: boolean;
};

/**
 * A watch that queries the warehouse once a second, in one statement for all sites that have listeners,
 * and never while there are none.
 *
 * - `now` in milliseconds, UTC.
 */
export function watchLive({ ship, select }: LiveSources, now: () => number): LiveWatch {
  const streams = new Set<Stream>();
  let ticking: NodeJS.Timeout | undefined;
  let version: bigint | undefined;
  let answeredAt = 0;
  let isAway = false;
  let isLooking = false;
  let isClosed = false;

  function begin(): void {
    answeredAt = now();
    isAway = false;
    version = undefined;
    ticking = setInterval(() => {
      noteSilence(now() - answeredAt > SILENCE_MAX_MS);
      if (!isLooking) void look();
    }, LOOK_EVERY_MS).unref();
  }

  async function look(): Promise<void> {
    isLooking = true;
    const shipped = ship().catch(() => {}); // What is in the warehouse is sent all the same.
    await Promise.race([shipped, pause(SHIPPING_MAX_MS)]);
    await pause(PAYMENTS_LATER_MS);
    const at = now();
    const since = Math.max(answeredAt - LOOK_BACK_MS, at - LOOK_BACK_MAX_MS);
    const siteIds = [...new Set([...streams].map(({ siteId }) => siteId))];
    try {
      version ??= BigInt((await select<{ version: string }>(NEWEST_VERSION))[0]?.version ?? 0);
      const news = await findNews(siteIds, since, version);
      for (const each of news) if (each.version > version) version = each.version;
      answeredAt = at;
      noteSilence(false);
      send(news);
    } catch {
      // The next tick notes the silence.
    } finally {
      isLooking = false;
    }
  }

  function send(news: readonly News[]): void {
    const newsBySite = Map.groupBy(news, ({ siteId }) => siteId);
    for (const { siteId, listener, cursor, isCatchingUp } of streams) {
      if (isCatchingUp) continue;
      const messages = cursor.toMessages(newsBySite.get(siteId) ?? [], SENT_MAX);
      if (messages.length > 0) listener.send(messages);
    }
  }

  async function findNews(...query: Parameters<typeof toNewsStatement>): Promise<News[]> {
    return (await select<NewsRow>(toNewsStatement(...query))).map(toNews);
  }

  function noteSilence(isSilent: boolean): void {
    if (isSilent === isAway) return;
    isAway = isSilent;
    for (const { listener, cursor } of streams) listener.send([cursor.toStatus(statusNow())]);
  }

  function statusNow() {
    return { warehouse: isAway ? 'away' : 'there' } as const;
  }

  /** Sends what a listener missed before it came back. */
  async function catchUp(stream: Stream, since: number): Promise<void> {
    const { siteId, listener, cursor } = stream;
    const news = await findNews([siteId], since).catch(() => undefined);
    const isGap = news === undefined || news.length >= NEWEST_MAX;
    listener.send([
      ...(isGap ? [cursor.toStatus({ gap: true })] : []),
      ...cursor.toMessages(news ?? [], NEWEST_MAX),
    ]);
    stream.isCatchingUp = false;
  }

  return {
    hasRoom(siteId) {
      const ofSite = [...streams].filter((stream) => stream.siteId === siteId);
      return !isClosed && streams.size < LISTENERS_MAX && ofSite.length < LISTENERS_OF_SITE_MAX;
    },
    listen(siteId, listener, after) {
      if (streams.size === 0) begin();
      const earliest = now() - LOOK_BACK_MAX_MS;
      const since = after === undefined ? now() - LEAD_MS : Math.max(after - OVERLAP_MS, earliest);
      const isGap = after !== undefined && after < earliest;
      const cursor = createLiveCursor(since);
      const stream: Stream = { siteId, listener, cursor, isCatchingUp: after !== undefined };
      streams.add(stream);
      listener.send([cursor.toStatus({ ...statusNow(), ...(isGap && { gap: true }) })]);
      if (stream.isCatchingUp) void catchUp(stream, since);
      return () => {
        streams.delete(stream);
        if (streams.size === 0) clearInterval(ticking);
      };
    },
    close() {
      isClosed = true;
      clearInterval(ticking);
      for (const { listener } of streams) listener.end();
      streams.clear();
    },
  };
}

function pause(ms: number): Promise<void> {
  return sleep(ms, undefined, { ref: false });
}
