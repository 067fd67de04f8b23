import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { StoryAnswer } from '#contract/story.ts';
import { keptSearch, useView, type View } from '../address/address.ts';
import { useLastPart } from '../address/last-part.ts';
import { useSite } from '../api/account.ts';
import { ApiError, request } from '../api/api.ts';
import { toAttribution } from '../api/query.ts';
import { Stack, Words, wordsClass } from '../ui/layout.tsx';
import { ShowMore } from '../ui/loaded.tsx';
import { EmptyNote, Unloaded } from '../ui/note.tsx';
import { MetaLines } from '../widgets/bar/meta-lines.tsx';
import { usePageTitle } from '../widgets/head/page-title.ts';
import { nameOf } from '../widgets/people/known-by.ts';
import { AboutPerson } from '../widgets/story/facts.tsx';
import styles from '../widgets/story/story.module.css';
import { toTimeline } from '../widgets/story/timeline.ts';
import { TimelineList } from '../widgets/story/timeline-list.tsx';

/** One person: every visit, what they did, and what they paid. */
export function PersonPage() {
  const id = useLastPart();
  const { domain } = useSite();
  const [view] = useView();
  const story = useStory(view, id);
  const [first] = story.data?.pages ?? [];
  const name = first === undefined ? 'Person' : nameOf(first.person);
  usePageTitle(name, 'People', domain);
  return (
    <>
      <Stack gap={4} className={styles.title}>
        <Link
          to={`/${domain}/people${keptSearch(view)}`}
          className={wordsClass('soft', 'small', 'back')}
        >
          ← People
        </Link>
        <Words as="h1" look="broken">
          {name}
        </Words>
      </Stack>
      <MetaLines />
      <Told story={story} />
    </>
  );
}

function Told({ story }: { readonly story: ReturnType<typeof useStory> }) {
  const { data, error, refetch, hasNextPage } = story;
  const [first] = data?.pages ?? [];
  if (error instanceof ApiError && (error.status === 404 || error.status === 400)) {
    return (
      <EmptyNote>
        There is no person with this id. They may have been erased. The list of people shows
        everybody.
      </EmptyNote>
    );
  }
  if (data === undefined || first === undefined) {
    return <Unloaded {...{ error, refetch }} height={480} />;
  }
  const items = toTimeline(data.pages, !hasNextPage);
  const visits = data.pages.flatMap((page) => page.visits);
  return (
    <div className={styles.page}>
      <Stack gap={12}>
        {items.length === 0 && (
          <EmptyNote>
            No visits or payments yet. This person’s next visit will appear here.
          </EmptyNote>
        )}
        <TimelineList items={items} />
        <ShowMore of={story}>Earlier visits</ShowMore>
      </Stack>
      <AboutPerson story={{ ...first, visits }} isWhole={!hasNextPage} />
    </div>
  );
}

/** A person's all-time story, credited per the view, with visits page by page. */
function useStory(view: View, id: string) {
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
