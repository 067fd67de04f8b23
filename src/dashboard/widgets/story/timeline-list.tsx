import type { ReactNode } from 'react';
import { useSite } from '../../api/account.ts';
import { formatDate, formatSpan } from '../../format/instants.ts';
import { formatExactMoney, toNumber } from '../../format/numbers.ts';
import { nameValue } from '../../format/values.ts';
import { Card } from '../../ui/card.tsx';
import { readValue } from '../people/known-by.ts';
import { Entries, EntryLine } from './entries.tsx';
import styles from './story.module.css';
import type { StoryVisit, TimelineItem } from './timeline.ts';

/** A person's visits and what happened between them, latest first. */
export function TimelineList({ items }: { readonly items: readonly TimelineItem[] }) {
  return (
    <ol className={styles.timeline} aria-label="Timeline">
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
    </ol>
  );
}

function Between({ at, children }: { readonly at: string; readonly children: ReactNode }) {
  const { timezone } = useSite();
  return (
    <div className={styles.between}>
      <p className={styles.day}>{formatDate(at, timezone)}, outside a visit</p>
      <ol className={styles.entries}>{children}</ol>
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
    <Card className={styles.visit}>
      <div className={styles.visitHead}>
        <div className={styles.from}>
          <h2>
            {readValue(values, 'source') ?? 'Direct'}
            <small>{names.filter(Boolean).join(' · ')}</small>
          </h2>
          <p className={styles.soft}>
            {formatSpan(started_at, last_event_at, timezone)}
            <span>{from.filter(Boolean).join(' · ')}</span>
          </p>
        </div>
        {toNumber(credit.revenue) !== 0 && (
          <p className={styles.credit} title="The revenue credited to this visit">
            {formatExactMoney(credit.revenue)} <span>credited</span>
          </p>
        )}
      </div>
      {children}
    </Card>
  );
}
