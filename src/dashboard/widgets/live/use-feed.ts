import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useSite } from '../../api/account.ts';
import { type Feed, openFeed } from './feed.ts';
import { followFeed } from './follow-feed.ts';

/**
 * The site's live events, starting a few minutes before `now`. A pause or a hidden tab closes the
 * stream; it then resumes where it stopped.
 */
export function useFeed(now: string, isPaused: boolean): Feed {
  const { id: siteId } = useSite();
  const client = useQueryClient();
  const first = useRef(openFeed(now)).current;
  const { data = first } = useQuery<Feed>({
    queryKey: [siteId, 'live-feed'],
    queryFn: skipToken,
    initialData: first,
  });
  const isClosed = useIsHidden() || isPaused;
  useEffect(() => {
    if (isClosed) return;
    const key = [siteId, 'live-feed'];
    const closing = new AbortController();
    void followFeed(siteId, closing.signal, {
      read: () => client.getQueryData<Feed>(key) ?? first,
      write: (feed) => client.setQueryData<Feed>(key, feed),
    });
    return () => closing.abort();
  }, [siteId, client, first, isClosed]);
  return data;
}

function useIsHidden(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      document.addEventListener('visibilitychange', onChange);
      return () => document.removeEventListener('visibilitychange', onChange);
    },
    () => document.hidden,
  );
}
