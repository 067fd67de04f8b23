import type { LiveStatus } from '#contract/live.ts';
import type { News } from './news.ts';

/** A listener's position: when the last sent item was accepted. Milliseconds, UTC. */
export type LivePosition = number;

/** A message to a listener. `data` is one line of JSON. */
export type StreamMessage = {
  readonly event: 'event' | 'payment' | 'status';
  /** The position after it, as read by {@link parsePosition}. */
  readonly id: string;
  readonly data: string;
};

/** Tracks what one listener was sent. */
export type LiveCursor = ReturnType<typeof createLiveCursor>;

/** Creates a cursor for everything accepted from an instant on. */
export function createLiveCursor(since: number) {
  let floor = since;
  let upTo = since;
  let sent: ReadonlySet<string> = new Set();
  let sentBefore = sent;

  function toStatus(status: LiveStatus): StreamMessage {
    return { event: 'status', id: String(upTo), data: JSON.stringify(status) };
  }

  return {
    toStatus,
    /** Messages for unsent news, earliest first, at most `max`. */
    toMessages(news: readonly News[], max: number): StreamMessage[] {
      const fresh = news
        .filter(({ acceptedAt }) => acceptedAt >= floor)
        .filter(({ key }) => !sent.has(key) && !sentBefore.has(key))
        .toSorted(byAcceptance);
      // Every poll finds the last minute's news again, so the keys of two polls are enough.
      sentBefore = sent;
      sent = new Set(news.map(({ key }) => key));
      const kept = fresh.slice(-max);
      const skipped = fresh.length - kept.length;
      if (skipped > 0) floor = kept[0]?.acceptedAt ?? floor; // Skipped items must not be sent later.
      const messages = skipped > 0 ? [toStatus({ skipped })] : [];
      for (const { event, data, acceptedAt } of kept) {
        upTo = Math.max(upTo, acceptedAt);
        messages.push({ event, id: String(upTo), data });
      }
      return messages;
    },
  };
}

function byAcceptance(a: News, b: News): number {
  if (a.acceptedAt !== b.acceptedAt) return a.acceptedAt - b.acceptedAt;
  return a.key < b.key ? -1 : 1;
}

/** Parses a position; undefined if invalid. */
export function parsePosition(text: string): LivePosition | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
