import { setTimeout as sleep } from 'node:timers/promises';
import { keepRunning } from '#jobs/keep-running.ts';
import type { ReportStatement } from '../ports.ts';
import {
  createLiveCursor,
  type LiveCursor,
  type LivePosition,
  type StreamMessage,
} from './live-cursor.ts';
import {
  NEWEST_MAX,
  type News,
  type NewsRow,
  payerKeyOf,
  toNews,
  toNewsStatement,
  toSourcesStatement,
} from './news.ts';

/** Sends newly accepted events and payments of a site to its listeners. */
export interface LiveWatch {
  /** Whether another listener is allowed. */
  hasRoom(seat: Seat): boolean;
  /** Sends from now on, or from a position. Returns a function that unsubscribes. */
  listen(seat: Seat, listener: Listener, after?: LivePosition): () => void;
  /** Ends all streams and accepts no new ones. */
  close(): void;
}

/** What a listener counts by: its site, and the user if it is one's. */
type Seat = { readonly siteId: string; readonly userId: string | undefined };

interface Listener {
  send(messages: readonly StreamMessage[]): void;
  /** Called when the service shuts down. */
  end(): void;
}

interface LiveSources {
  /** Resolves when the warehouse has every event accepted before the call. Throws on timeout. */
  ship(): Promise<void>;
  /** Queries the warehouse, outside the queue of reports. Throws if it does not answer. */
  select<Row>(statement: ReportStatement): Promise<Row[]>;
}

/** Maximum number of listeners, per user, per site and in total. */
const LISTENERS_OF_USER_MAX = 8;
const LISTENERS_OF_SITE_MAX = 32;
const LISTENERS_MAX = 256;
const LOOK_EVERY_MS = 1_000;
/** Maximum wait for shipping. A backlog takes longer, and a poll does not wait for it. */
const SHIPPING_MAX_MS = 600;
/** Payments follow their events to the warehouse. */
const PAYMENTS_LATER_MS = 150;
/** Events reach the warehouse late, so each poll overlaps the previous one by this much, or more after an outage. */
const LOOK_BACK_MS = 60_000;
const LOOK_BACK_MAX_MS = 300_000;
/** After this time without an answer, the warehouse counts as away. */
const SILENCE_MAX_MS = 3_000;
/** A new listener also gets events accepted this much earlier. */
const LEAD_MS = 1_000;
/** Events reach the disk shortly after they are accepted, and possibly out of order. */
const OVERLAP_MS = 2_000;
/** Maximum number of messages per poll. The newest are sent; nobody can read more. */
const SENT_MAX = 200;

/** How many payers' sources are remembered. */
const PAYERS_MAX = 10_000;
type SourceRow = Readonly<Record<'site_id' | 'visitor_id' | 'source', string>>;

const NEWEST_VERSION = { sql: 'SELECT max(version) AS version FROM payments' };

type Stream = Seat & {
  readonly listener: Listener;
  readonly cursor: LiveCursor;
  /** New messages wait until missed ones are sent. */
  isCatchingUp: boolean;
};

/**
 * Creates a watch that queries the warehouse once a second, with one statement for all sites with listeners. Without
 * listeners, it sends no queries.
 *
 * - `now` in milliseconds, UTC.
 */
export function watchLive({ ship, select }: LiveSources, now: () => number): LiveWatch {
  const streams = new Set<Stream>();
  let version: bigint | undefined;
  let answeredAt = 0;
  let isAway = false;
  let isClosed = false;
  const statusNow = () => ({ warehouse: isAway ? 'away' : 'there' }) as const;
  /** Sources by payer; '' without a visit. Each look reads the news of the last minute again. */
  const sources = new Map<string, string>();

  async function findNews(...query: Parameters<typeof toNewsStatement>): Promise<News[]> {
    const rows = await select<NewsRow>(toNewsStatement(...query));
    const payers = new Set(rows.map(payerKeyOf).filter((payer) => payer !== ''));
    const unknown = [...payers].filter((payer) => !sources.has(payer));
    const found = unknown.length > 0 ? await select<SourceRow>(toSourcesStatement(unknown)) : [];
    if (sources.size > PAYERS_MAX) sources.clear();
    for (const payer of unknown) sources.set(payer, '');
    for (const { site_id, visitor_id, source } of found) {
      sources.set(JSON.stringify([site_id, visitor_id]), source);
    }
    return rows.map((row) => toNews(row, sources.get(payerKeyOf(row))));
  }

  function begin(): void {
    answeredAt = now();
    isAway = false;
    version = undefined;
  }

  /** An outage shows as silence. */
  async function look(): Promise<void> {
    if (streams.size === 0) return;
    const shipped = ship().catch(() => {}); // On failure, send what the warehouse has.
    await Promise.race([shipped, sleep(SHIPPING_MAX_MS, undefined, { ref: false })]);
    await sleep(PAYMENTS_LATER_MS, undefined, { ref: false });
    const at = now();
    const since = Math.max(answeredAt - LOOK_BACK_MS, at - LOOK_BACK_MAX_MS);
    const siteIds = [...new Set([...streams].map(({ siteId }) => siteId))];
    version ??= BigInt((await select<{ version: string }>(NEWEST_VERSION))[0]?.version ?? 0);
    const news = await findNews(siteIds, since, version);
    for (const each of news) if (each.version > version) version = each.version;
    answeredAt = at;
    noteSilence(false);
    send(news);
  }

  function send(news: readonly News[]): void {
    const newsBySite = Map.groupBy(news, ({ siteId }) => siteId);
    for (const { siteId, listener, cursor, isCatchingUp } of streams) {
      if (isCatchingUp) continue;
      const messages = cursor.toMessages(newsBySite.get(siteId) ?? [], SENT_MAX);
      if (messages.length > 0) listener.send(messages);
    }
  }

  function noteSilence(isSilent: boolean): void {
    if (isSilent === isAway) return;
    isAway = isSilent;
    for (const { listener, cursor } of streams) listener.send([cursor.toStatus(statusNow())]);
  }

  /** Sends the messages that a reconnecting listener missed. */
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

  const everyMs = LOOK_EVERY_MS;
  const jobs = [
    keepRunning({ name: 'live', everyMs, run: look }),
    keepRunning({
      ...{ name: 'live_silence', everyMs },
      run: () => noteSilence(streams.size > 0 && now() - answeredAt > SILENCE_MAX_MS),
    }),
  ];
  return {
    hasRoom({ siteId, userId }) {
      const count = (isOne: (stream: Stream) => boolean) => [...streams].filter(isOne).length;
      if (isClosed || streams.size >= LISTENERS_MAX) return false;
      if (count((each) => each.siteId === siteId) >= LISTENERS_OF_SITE_MAX) return false;
      const ofUser = count((each) => each.userId === userId);
      return userId === undefined || ofUser < LISTENERS_OF_USER_MAX;
    },
    listen(seat, listener, after) {
      if (streams.size === 0) begin();
      const earliest = now() - LOOK_BACK_MAX_MS;
      // A position after now comes from a clock that was ahead: events would not be shown until then.
      const last = after === undefined ? undefined : Math.min(after, now());
      const since = last === undefined ? now() - LEAD_MS : Math.max(last - OVERLAP_MS, earliest);
      const isGap = after !== undefined && after < earliest;
      const cursor = createLiveCursor(since);
      const stream: Stream = { ...seat, listener, cursor, isCatchingUp: after !== undefined };
      streams.add(stream);
      listener.send([cursor.toStatus({ ...statusNow(), ...(isGap && { gap: true }) })]);
      if (stream.isCatchingUp) void catchUp(stream, since);
      return () => {
        streams.delete(stream);
      };
    },
    close() {
      isClosed = true;
      for (const job of jobs) void job.stop();
      for (const { listener } of streams) listener.end();
      streams.clear();
    },
  };
}
