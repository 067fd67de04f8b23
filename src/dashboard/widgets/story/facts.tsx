import { Suspense, useState } from 'react';
import { Link } from 'wouter';
import type { StoryAnswer } from '#contract/story.ts';
import { useSite } from '../../api/account.ts';
import { nameCountry } from '../../format/countries.ts';
import { formatDate } from '../../format/instants.ts';
import { formatCount, formatExactMoney, toNumber } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Words, wordsClass } from '../../ui/layout.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { LongWord } from '../../ui/long-word.tsx';
import { readValue } from '../people/known-by.ts';
import styles from './story.module.css';

type Fact = { readonly label: string; readonly values: readonly (string | undefined)[] };

/** Facts about a person, beside the story. */
export function AboutPerson({ story, isWhole }: { readonly story: StoryAnswer; isWhole: boolean }) {
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
        <Words as="p" look={['large', hasPaid && 'good']}>
          {formatExactMoney(revenue)}
        </Words>
      </div>
      <dl>
        {useFacts(story, isWhole).map(({ label, values }) => (
          <div key={label}>
            <dt>{label}</dt>
            {values.map(
              (value) =>
                value && (
                  <dd key={value}>
                    <LongWord text={value} />
                  </dd>
                ),
            )}
          </div>
        ))}
      </dl>
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

function useFacts({ person, totals, visits }: StoryAnswer, isWhole: boolean): Fact[] {
  const { timezone } = useSite();
  const [latest] = visits;
  const first = isWhole ? visits.at(-1) : undefined;
  const values = latest?.values ?? {};
  const country = readValue(values, 'country');
  const device = [readValue(values, 'browser'), readValue(values, 'os')]
    .filter(Boolean)
    .join(' · ');
  const place = [readValue(values, 'city'), country && nameCountry(country)].filter(Boolean);
  const facts: Fact[] = [
    {
      label: 'Refunds',
      values: toNumber(totals.refunds) ? [formatExactMoney(totals.refunds)] : [],
    },
    { label: 'Payments', values: [formatCount(totals.payments)] },
    { label: 'Visits', values: [formatCount(totals.visits)] },
    { label: 'Conversions', values: [formatCount(totals.conversions)] },
    { label: 'First seen', values: [first && formatDate(first.started_at, timezone)] },
    { label: 'First source', values: [readValue(first?.values ?? null, 'source')] },
    { label: 'Last seen', values: [latest && formatDate(latest.last_event_at, timezone)] },
    { label: 'Location', values: [place.join(', ')] },
    { label: 'Device', values: [device] },
    { label: 'Name', values: person.names ?? [] },
    { label: 'E-mail', values: person.emails ?? [] },
    { label: 'User', values: person.user_ids },
    { label: 'Customer', values: person.customer_ids },
    { label: person.visitors.length > 1 ? 'Visitors' : 'Visitor', values: person.visitors },
  ];
  return facts.filter((fact) => fact.values.some(Boolean));
}

const SeparationDialog = lazyPart(() => import('./separation-dialog.tsx'), 'SeparationDialog');

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
      {isOpen && (
        <Suspense>
          <SeparationDialog visitors={visitors} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
