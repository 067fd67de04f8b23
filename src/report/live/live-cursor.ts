import type { LiveStatus } from '#contract/live.ts';
import type { News } from './news.ts';

/** Up to where somebody was sent news: when the last of it was accepted. Milliseconds, UTC. */
export type LivePosition = number;

/** What is sent to a listener. `data` is JSON on one line. */
export type LiveMessage = {
  readonly event: 'event' | 'payment' | 'status';
  /** The position behind it, as {@link parsePosition} reads it. */
  readonly id: string;
  readonly data: string;
};

/** What one listener was sent, and what comes next. */
export type LiveCursor = ReturnType<typeof createLiveCursor>;

/** A cursor for a listener who wants what is accepted from that instant on. */
export function createLiveCursor(since: number) {
  let floor = since;
  let upTo = since;
  let sent: ReadonlySet<string> = new Set();
  let sentBefore = sent;

  function toStatus(status: LiveStatus): LiveMessage {
    return { event: 'status', id: String(upTo), data: JSON.stringify(status) };
  }

  return {
    toStatus,
    /** Messages of the news that were not sent before, the earliest first, and of at most `max` of them. */
    toMessages(news: readonly News[], max: number): LiveMessage[] {
      const fresh = news
        .filter(({ acceptedAt }) => acceptedAt >= floor)
        .filter(({ key }) => !sent.has(key) && !sentBefore.has(key))
        .toSorted(byAcceptance);
      // Every look finds the last minute's news again, so two looks' keys are enough.
      sentBefore = sent;
      sent = new Set(news.map(({ key }) => key));
      const kept = fresh.slice(-max);
      const skipped = fresh.length - kept.length;
      if (skipped > 0) floor = kept[0]?.acceptedAt ?? floor; // What is left out must not come later.
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

/** The position in a text, if it is one. */
export function parsePosition(text: string): LivePosition | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
