import type { LiveEvent, LivePayment, LiveStatus } from '#contract/live.ts';
import { nameTurns } from '../../address/name-turns.ts';
import { ApiError, send } from '../../api/api.ts';

/** Something that just happened. */
export type Moment = LiveEvent | LivePayment;

/** The state of a running stream. */
export type Feed = {
  /** Latest first by when they happened, all unique. */
  readonly moments: readonly Moment[];
  /** Where a new connection resumes. */
  readonly lastId: string;
  readonly connection: 'opening' | 'open' | 'lost' | 'refused';
  /** Why it was refused, in plain words. */
  readonly refusal?: string;
  readonly isWarehouseAway: boolean;
  /** The moment after which some are missing: the last before the gap. */
  readonly gapAfter?: string | undefined;
};

/** How many moments are kept; older ones are dropped. */
export const MOMENTS_MAX = 200;

/** The API goes back five minutes; slightly less is sure to be complete. */
const BACK_MS = 290_000;

/** A stream before its first message; it starts a few minutes before `now`, by the server's clock. */
export function openFeed(now: string): Feed {
  const lastId = String(Date.parse(now) - BACK_MS);
  return { moments: [], lastId, connection: 'opening', isWarehouseAway: false };
}

/** The stream after another message. Duplicates after a reconnect count once. */
export function addMessage(feed: Feed, { id, name, data }: Message): Feed {
  const next = { ...feed, lastId: id, connection: 'open' as const };
  if (name === 'status') return addStatus(next, JSON.parse(data) as LiveStatus);
  if (name !== 'event' && name !== 'payment') return next;
  const moment = JSON.parse(data) as Moment;
  if (feed.moments.some((each) => each.id === moment.id)) return next;
  const moments = [moment, ...feed.moments].toSorted(byTime).slice(0, MOMENTS_MAX);
  return { ...next, moments };
}

/** Latest first: payments may be reported long after they were made. Of two at once, the one that arrived later. */
function byTime(a: Moment, b: Moment): number {
  return Date.parse(b.at) - Date.parse(a.at);
}

function addStatus(feed: Feed, { warehouse, skipped = 0, gap = false }: LiveStatus): Feed {
  return {
    ...feed,
    isWarehouseAway: warehouse === undefined ? feed.isWarehouseAway : warehouse === 'away',
    gapAfter: gap || skipped > 0 ? feed.moments[0]?.id : feed.gapAfter,
  };
}

/** Whether a moment is about money. */
export function isPaid(moment: Moment): moment is LivePayment {
  return moment.type === 'payment' || moment.type === 'refund';
}

/** The backoff after this many failed tries: from one second to half a minute. */
export function toPauseMs(tries: number): number {
  return Math.min(1_000 * 2 ** tries, 30_000);
}

/** A server-sent event. */
type Message = { readonly id: string; readonly name: string; readonly data: string };

/**
 * Parses server-sent events from chunks, wherever those are cut: each call returns the messages that
 * it completes.
 *
 * - Why not EventSource: it cannot send headers, and the API takes the site from one.
 * - Source: https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export function openEventParser(): (piece: string) => Message[] {
  let rest = '';
  let id = '';
  return (piece) => {
    const blocks = (rest + piece).replace(/\r\n?/g, '\n').split('\n\n');
    rest = blocks.pop() ?? '';
    return blocks.flatMap((block) => {
      const message = parseBlock(block, id);
      id = message.id;
      return message.data === '' ? [] : [message];
    });
  };
}

function parseBlock(block: string, idBefore: string): Message {
  const fields = { id: idBefore, event: 'message', data: [] as string[] };
  for (const line of block.split('\n')) {
    const [, name, value = ''] = /^(\w+)(?:: ?(.*))?$/.exec(line) ?? [];
    if (name === 'data') fields.data.push(value);
    else if (name === 'id') fields.id = value;
    else if (name === 'event') fields.event = value;
  }
  return { id: fields.id, name: fields.event, data: fields.data.join('\n') };
}

type FeedStore = { readonly read: () => Feed; readonly write: (feed: Feed) => void };

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
      const messages = parse(nameTurns(part.value));
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
