import type { LiveStatus } from '#contract/live.ts';
import type { News } from './news.ts';

/** Up to where somebody was told: when the last event was accepted, and which change of payments. */
export type LivePosition = { readonly acceptedAt: number; readonly version: bigint };

/** What is sent to who listens. `data` is JSON of one line. */
export type LiveMessage = {
  readonly event: 'event' | 'payment' | 'status';
  /** The position behind it, as {@link parsePosition} reads it. */
  readonly id: string;
  readonly data: string;
  /** What it is about, the same when it is told again. */
  readonly key?: string;
};

/** Who listens. */
export interface Listener {
  send(messages: readonly LiveMessage[]): void;
  /** The stream ends: the service does. */
  end(): void;
}

/** What is told of one site, to all who listen to it. */
export interface SiteFeed {
  readonly listeners: Set<Listener>;
  /** What was accepted earlier is not told. */
  floor(): number;
  /** Tells what was not told before, the earliest first. */
  offer(news: readonly News[], version: bigint): void;
  tell(message: LiveMessage): void;
  /** How the stream is, as a message. */
  toStatus(status: LiveStatus, version: bigint): LiveMessage;
  /** The messages that news are, of which as many as one takes at a time. */
  toMessages(news: readonly News[], version: bigint): LiveMessage[];
}

/** So much is told at a time; of more, the newest. Nobody reads faster. */
const TOLD_MAX = 200;
/** As many keys are remembered, twice, so that nothing is told twice. */
const REMEMBERED = 20_000;

/** The feed of a site, from that instant on. */
export function createSiteFeed(since: number): SiteFeed {
  const listeners = new Set<Listener>();
  let floor = since;
  let toldUpTo = since;
  let told = new Set<string>();
  let toldBefore = new Set<string>();

  function remember(key: string): void {
    if (told.size >= REMEMBERED) {
      toldBefore = told;
      told = new Set();
    }
    told.add(key);
  }

  function toMessages(news: readonly News[], version: bigint): LiveMessage[] {
    let upTo = toldUpTo;
    return news.map(({ key, event, data, acceptedAt }) => {
      upTo = Math.max(upTo, acceptedAt);
      const id = toPosition({ acceptedAt: upTo, version });
      return { event, id, data: JSON.stringify(data), key };
    });
  }

  function tellAll(messages: readonly LiveMessage[]): void {
    for (const listener of listeners) listener.send(messages);
  }

  function toStatus(status: LiveStatus, version: bigint): LiveMessage {
    const id = toPosition({ acceptedAt: toldUpTo, version });
    return { event: 'status', id, data: JSON.stringify(status) };
  }

  return {
    listeners,
    floor: () => floor,
    tell: (message) => tellAll([message]),
    toStatus,
    toMessages,
    offer(news, version) {
      const unique = new Map(news.map((each) => [each.key, each]));
      const fresh = [...unique.values()]
        .filter(({ acceptedAt }) => acceptedAt >= floor)
        .filter(({ key }) => !told.has(key) && !toldBefore.has(key))
        .toSorted(byAcceptance);
      const kept = fresh.slice(-TOLD_MAX);
      for (const { key } of kept) remember(key);
      const last = kept.at(-1);
      if (last === undefined) return;
      const messages = toMessages(kept, version);
      toldUpTo = Math.max(toldUpTo, last.acceptedAt);
      if (kept.length < fresh.length) {
        floor = kept[0]?.acceptedAt ?? floor; // What is left out must not come behind the rest.
        tellAll([toStatus({ skipped: fresh.length - kept.length }, version)]);
      }
      tellAll(messages);
    },
  };
}

/** The earliest first. */
export function byAcceptance(a: News, b: News): number {
  if (a.acceptedAt !== b.acceptedAt) return a.acceptedAt - b.acceptedAt;
  return a.key < b.key ? -1 : 1;
}

/** A position as callers are given it. */
export function toPosition({ acceptedAt, version }: LivePosition): string {
  return `${acceptedAt}-${version}`;
}

/** The position that a text tells, if it is one. */
export function parsePosition(text: string): LivePosition | undefined {
  const match = /^(\d{1,15})-(\d{1,18})$/.exec(text);
  if (match === null) return undefined;
  return { acceptedAt: Number(match[1]), version: BigInt(match[2] ?? 0) };
}
