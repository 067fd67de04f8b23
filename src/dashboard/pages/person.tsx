import { Link } from 'wouter';
import { keptSearch, useView } from '../address/address.ts';
import { useLastPart } from '../address/last-part.ts';
import { useSite } from '../api/account.ts';
import { ApiError } from '../api/api.ts';
import { Button } from '../ui/button.tsx';
import { EmptyNote, Unloaded } from '../ui/note.tsx';
import { MetaLines } from '../widgets/bar/meta-lines.tsx';
import { usePageTitle } from '../widgets/head/page-title.ts';
import { nameOf } from '../widgets/people/known-by.ts';
import { AboutPerson } from '../widgets/story/facts.tsx';
import styles from '../widgets/story/story.module.css';
import { toTimeline } from '../widgets/story/timeline.ts';
import { TimelineList } from '../widgets/story/timeline-list.tsx';
import { useStory } from '../widgets/story/use-story.ts';

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
      <div className={styles.head}>
        <Link to={`/${domain}/people${keptSearch(view)}`} className={styles.back}>
          ← People
        </Link>
        <h1>{name}</h1>
      </div>
      <MetaLines />
      <Told story={story} />
    </>
  );
}

function Told({ story }: { readonly story: ReturnType<typeof useStory> }) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = story;
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
      <div className={styles.timeline}>
        {items.length === 0 && (
          <EmptyNote>
            No visits or payments yet. This person’s next visit will appear here.
          </EmptyNote>
        )}
        <TimelineList items={items} />
        {hasNextPage && (
          <div className={styles.more}>
            <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              Earlier visits
            </Button>
          </div>
        )}
      </div>
      <AboutPerson story={{ ...first, visits }} isWhole={!hasNextPage} />
    </div>
  );
}
