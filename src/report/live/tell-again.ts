import { parseEventNews, toPaymentNews } from './news.ts';
import type { NewsSources, WaitingEvents } from './ports.ts';
import {
  byAcceptance,
  type Listener,
  type LiveMessage,
  type LivePosition,
  type SiteFeed,
} from './site-feed.ts';
import { findStoredNews, NEWEST_MAX } from './stored-news.ts';

/** How far back news are told again. */
const AGAIN_MAX_MS = 300_000;
/** Another process may have accepted something a little earlier and had it on disk a little later. */
const OVERLAP_MS = 2_000;

/** Where to look for what was told before, and what is told of the site now. */
export type TellAgainContext = {
  readonly siteId: string;
  readonly feed: SiteFeed;
  readonly sources: NewsSources;
  readonly waiting: WaitingEvents | undefined;
  readonly version: bigint;
  readonly now: () => number;
};

/**
 * A listener that first hears what came behind a position, and what comes meanwhile after that.
 *
 * - Shape: news of the last two seconds before the position come once more: their ids are the same.
 */
export function tellAgain(
  after: LivePosition,
  listener: Listener,
  context: TellAgainContext,
): Listener {
  let held: LiveMessage[] | undefined = [];
  void findAgain(after, context).then((again) => {
    const keys = new Set(again.map(({ key }) => key));
    const later = (held ?? []).filter(({ key }) => key === undefined || !keys.has(key));
    held = undefined;
    listener.send([...again, ...later]);
  });
  return {
    send(messages) {
      if (held === undefined) listener.send(messages);
      else held.push(...messages);
    },
    end: () => listener.end(),
  };
}

async function findAgain(after: LivePosition, context: TellAgainContext): Promise<LiveMessage[]> {
  const { siteId, feed, sources, waiting, version, now } = context;
  const earliest = now() - AGAIN_MAX_MS;
  const since = Math.max(after.acceptedAt - OVERLAP_MS, earliest);
  const paid = sources.findNewPayments(after.version);
  const lines = waiting?.read(new Map(), [siteId]).lines ?? [];
  const stored = await findStoredNews(sources, [siteId], since).catch(() => undefined);
  const news = [
    ...paid.payments.flatMap(toPaymentNews),
    ...lines.flatMap((line) => parseEventNews(line) ?? []),
    ...(stored ?? []),
  ].filter((each) => each.siteId === siteId && each.acceptedAt >= since);
  const unique = [...new Map(news.map((each) => [each.key, each])).values()].toSorted(byAcceptance);
  const isWhole = stored !== undefined && stored.length < NEWEST_MAX && unique.length <= NEWEST_MAX;
  const isGap = !isWhole || paid.isCut || after.acceptedAt < earliest;
  const warehouse = stored === undefined ? 'away' : 'there';
  return [
    feed.toStatus({ warehouse, ...(isGap && { gap: true }) }, version),
    ...feed.toMessages(unique.slice(-NEWEST_MAX), version),
  ];
}
