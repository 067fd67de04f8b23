import { useInfiniteQuery } from '@tanstack/react-query';
import type { StoryAnswer } from '#contract/story.ts';
import type { View } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import { request } from '../../api/api.ts';
import { toAttribution } from '../../api/query.ts';

/** A person's all-time story, credited per the view, with visits page by page. */
export function useStory(view: View, id: string) {
  const site = useSite();
  const { model, lookback_days } = toAttribution(view);
  return useInfiniteQuery({
    queryKey: [site.id, 'story', id, model, lookback_days],
    initialPageParam: '',
    queryFn: ({ signal, pageParam: cursor }) => {
      const params = new URLSearchParams({ date_range: 'all', model });
      if (lookback_days !== null) params.set('lookback_days', String(lookback_days));
      if (cursor !== '') params.set('cursor', cursor);
      return request<StoryAnswer>(`/api/v1/persons/${encodeURIComponent(id)}?${params}`, {
        ...{ site: site.id, signal },
      });
    },
    getNextPageParam: (page) => page.meta.next_cursor,
  });
}
