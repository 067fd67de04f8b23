import type { ReactNode } from 'react';
import { useSite } from '../../api/account.ts';
import { formatDate, formatSpan } from '../../format/instants.ts';
import { formatExactMoney, toNumber } from '../../format/numbers.ts';
import { nameValue } from '../../format/values.ts';
import { Card } from '../../ui/card.tsx';
import { CardHead, Inline, Inset, Log, Stack, Words, wordsClass } from '../../ui/layout.tsx';
import { readValue } from '../people/known-by.ts';
import { Entries, EntryLine } from './entries.tsx';
import styles from './story.module.css';
import type { StoryVisit, TimelineItem } from './timeline.ts';

/** A person's visits and what happened between them, latest first. */
export function TimelineList({ items }: { readonly items: readonly TimelineItem[] }) {
  return (
    <Stack as="ol" gap={12} aria-label="Timeline">
      {items.map((item, index) => (
        <li key={item.kind === 'visit' ? item.visit.visit_id : `${item.at} ${index}`}>
          {item.kind === 'visit' ? (
            <Visit visit={item.visit}>
              <Entries entries={item.entries} />
            </Visit>
          ) : (
            <Between at={item.at}>
              <EntryLine entry={item} />
            </Between>
          )}
        </li>
      ))}
    </Stack>
  );
}

function Between({ at, children }: { readonly at: string; readonly children: ReactNode }) {
  const { timezone } = useSite();
  return (
    <div>
      <Inset>
        <Words look={['soft', 'small']}>{formatDate(at, timezone)}, outside a visit</Words>
      </Inset>
      <Log>{children}</Log>
    </div>
  );
}

function Visit({ visit, children }: { readonly visit: StoryVisit; readonly children: ReactNode }) {
  const { timezone } = useSite();
  const { values, credit, started_at, last_event_at } = visit;
  const names = ['medium', 'campaign', 'term'].map((name) => readValue(values, name));
  const device = nameValue('visit:device', readValue(values, 'device') ?? '');
  const from = [device, readValue(values, 'browser'), readValue(values, 'city')];
  return (
    <Card>
      <CardHead className={styles.head}>
        <div className={wordsClass('broken')}>
          <h2>
            {readValue(values, 'source') ?? 'Direct'}{' '}
            <Words as="small" look={['soft', 'small']}>
              {names.filter(Boolean).join(' · ')}
            </Words>
          </h2>
          <Inline as="p" gap="4px 16px" className={wordsClass('soft', 'small')}>
            {formatSpan(started_at, last_event_at, timezone)}
            <span>{from.filter(Boolean).join(' · ')}</span>
          </Inline>
        </div>
        {toNumber(credit.revenue) !== 0 && (
          <p title="The revenue credited to this visit">
            <Words look={['good', 'bold']}>{formatExactMoney(credit.revenue)}</Words>{' '}
            <Words look={['soft', 'tiny']}>credited</Words>
          </p>
        )}
      </CardHead>
      {children}
    </Card>
  );
}
