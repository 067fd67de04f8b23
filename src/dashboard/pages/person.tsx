import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { StoryAnswer } from '#contract/story.ts';
import { keptSearch, useView, type View } from '../address/address.ts';
import { useLastPart, withTexts } from '../address/params.ts';
import { useSite } from '../api/account.ts';
import { ApiError, request } from '../api/api.ts';
import { toCredit } from '../api/query.ts';
import { formatDate } from '../format/dates.ts';
import { formatCount, formatExactMoney, toNumber } from '../format/numbers.ts';
import { nameCountry } from '../format/values.ts';
import { Button } from '../ui/button.tsx';
import { Card, FactList, LongWord, Stack, Words, wordsClass } from '../ui/layout.tsx';
import { EmptyNote, lazyPart, ShowMore, Unloaded } from '../ui/loaded.tsx';
import { MetaLines } from '../widgets/bar/bar-notes.tsx';
import { usePageTitle } from '../widgets/keys/sections.ts';
import { nameOf, readValue } from '../widgets/people/known-by.ts';
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
      <Stack gap={4} style={{ padding: '8px 0 16px' }}>
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
  const credit = toCredit(view);
  return useInfiniteQuery({
    queryKey: [site.id, 'story', id, `${credit}`],
    initialPageParam: '',
    queryFn: ({ signal, pageParam: cursor }) => {
      const params = withTexts(credit, { date_range: 'all', cursor });
      const path = `/api/v1/persons/${encodeURIComponent(id)}?${params}`;
      return request<StoryAnswer>(path, { site: site.id, signal });
    },
    getNextPageParam: (page) => page.meta.next_cursor,
  });
}

/** Facts about a person, beside the story. */
function AboutPerson({ story, isWhole }: { readonly story: StoryAnswer; isWhole: boolean }) {
  const { domain, role, shared } = useSite();
  const [visitor] = shared === undefined ? story.person.visitors : [];
  const { revenue } = story.totals;
  const hasPaid = toNumber(revenue) > 0;
  return (
    <Card isPadded className={styles.facts} aria-label="Facts">
      <div>
        <Words as="p" look={['soft', 'small']}>
          Revenue
        </Words>
        <Words as="p" look={['large', hasPaid && 'good', 'broken']}>
          {formatExactMoney(revenue).replace(/\s/, ' ')}
        </Words>
      </div>
      <FactList isSide facts={useFacts(story, isWhole)} />
      {role !== 'viewer' && shared === undefined && <Separation story={story} />}
      {role !== 'viewer' && visitor !== undefined && (
        <Link
          to={`/${domain}/settings/privacy?person=1&visitor=${encodeURIComponent(visitor)}`}
          className={wordsClass('soft', 'small', 'back')}
        >
          Erase this person …
        </Link>
      )}
    </Card>
  );
}

function useFacts({ person, totals, visits }: StoryAnswer, isWhole: boolean) {
  const { timezone } = useSite();
  const [latest] = visits;
  const first = isWhole ? visits.at(-1) : undefined;
  const values = latest?.values ?? {};
  const country = readValue(values, 'country');
  const device = [readValue(values, 'browser'), readValue(values, 'os')];
  const place = [readValue(values, 'city'), country && nameCountry(country)];
  return [
    ['Refunds', toNumber(totals.refunds) !== 0 && formatExactMoney(totals.refunds)],
    ['Payments', formatCount(totals.payments)],
    ['Visits', formatCount(totals.visits)],
    ['Conversions', formatCount(totals.conversions)],
    ['First seen', first && formatDate(first.started_at, timezone)],
    ['First source', readValue(first?.values ?? null, 'source')],
    ['Last seen', latest && formatDate(latest.last_event_at, timezone)],
    ['Location', place.filter(Boolean).join(', ')],
    ['Device', device.filter(Boolean).join(' · ')],
    ['Name', toLines(person.names)],
    ['E-mail', toLines(person.emails)],
    ['User', toLines(person.user_ids)],
    ['Customer', toLines(person.customer_ids)],
    [person.visitors.length > 1 ? 'Visitors' : 'Visitor', toLines(person.visitors)],
  ] as const;
}

/** Values below each other, if there are any. */
function toLines(values: readonly string[] = []) {
  return (
    values.some(Boolean) &&
    values.map((value) => (
      <div key={value}>
        <LongWord text={value} />
      </div>
    ))
  );
}

const SeparationDialog = lazyPart(
  () => import('../widgets/story/separation-dialog.tsx'),
  'SeparationDialog',
  null,
);

/** A button that undoes a join, shown for joined visitors. */
function Separation({ story }: { readonly story: StoryAnswer }) {
  const [isOpen, setOpen] = useState(false);
  const { visitors } = story.person;
  // Payments without a visitor were matched by customer or email address.
  const hasOthers =
    visitors.length > 1 || story.payments.some((paid) => paid.service_visitor_id === undefined);
  // Stays after the last join: the dialog shows the outcome.
  if (!isOpen && (visitors.length === 0 || !hasOthers)) return null;
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        Undo a join …
      </Button>
      {isOpen && <SeparationDialog visitors={visitors} onClose={() => setOpen(false)} />}
    </>
  );
}
