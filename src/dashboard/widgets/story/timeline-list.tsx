import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { showPath } from '#domain/visit/paths.ts';
import { keptSearch, useView } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import { formatDate, formatSpan, formatTime } from '../../format/dates.ts';
import { formatExactMoney, toNumber } from '../../format/numbers.ts';
import { moodOf, nameValue } from '../../format/values.ts';
import {
  Card,
  CardHead,
  Inline,
  Inset,
  Log,
  LogLine,
  Stack,
  Words,
  wordsClass,
} from '../../ui/layout.tsx';
import { readValue } from '../people/known-by.ts';
import styles from './story.module.css';
import type {
  StoryMoment,
  StoryPayment,
  StoryTouch,
  StoryVisit,
  TimelineEntry,
  TimelineItem,
} from './timeline.ts';

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
      <CardHead style={{ borderBottom: '1px solid var(--line)' }}>
        <div className={wordsClass('broken')} style={{ flex: '1 1 200px' }}>
          <h2>
            {readValue(values, 'source') ?? 'Direct'}{' '}
            <Words as="small" look={['soft', 'small']} style={{ fontWeight: 400 }}>
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

/** How many are shown; the rest is collapsed, unless it includes payments. */
const OPEN_ENTRIES = 15;

/** What happened and when, one per line. */
function Entries({ entries }: { readonly entries: readonly TimelineEntry[] }) {
  const isLong = entries.length > OPEN_ENTRIES + 2;
  const rest = entries.slice(OPEN_ENTRIES);
  const open = isLong ? entries.slice(0, OPEN_ENTRIES) : entries;
  return (
    <>
      <Lines entries={open} />
      {isLong && (
        <details className={styles.rest} open={rest.some(({ kind }) => kind === 'paid')}>
          <summary>{rest.length} more of this visit</summary>
          <Lines entries={rest} />
        </details>
      )}
    </>
  );
}

function Lines({ entries }: { readonly entries: readonly TimelineEntry[] }) {
  return (
    <Log>
      {entries.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same may happen twice at once.
        <EntryLine key={`${entry.at} ${index}`} entry={entry} />
      ))}
    </Log>
  );
}

/** One line of a story: a page, a goal, or money. */
function EntryLine({ entry }: { readonly entry: TimelineEntry }) {
  const { timezone } = useSite();
  const kind =
    entry.kind === 'came' ? 'came' : entry.kind === 'paid' ? entry.paid.type : entry.done.type;
  return (
    <LogLine at={entry.at} time={formatTime(entry.at, timezone)} mood={moodOf(kind)}>
      {entry.kind === 'came' && <Came touch={entry.touch} />}
      {entry.kind === 'paid' && <Paid paid={entry.paid} />}
      {entry.kind === 'done' && <Done done={entry.done} />}
    </LogLine>
  );
}

function Came({ touch }: { readonly touch: StoryTouch }) {
  const { values, credit } = touch;
  const names = ['medium', 'campaign', 'term'].map((name) => readValue(values, name));
  const credited = toNumber(credit.revenue) !== 0 && `${formatExactMoney(credit.revenue)} credited`;
  return (
    <>
      <b>Came by {readValue(values, 'source') ?? 'Direct'}</b>{' '}
      <small>{[...names, credited].filter(Boolean).join(' · ')}</small>
    </>
  );
}

function Paid({ paid }: { readonly paid: StoryPayment }) {
  const { domain } = useSite();
  const [view] = useView();
  // A refund has its own id; the page is the payment's.
  const id = paid.original_transaction_id ?? paid.transaction_id;
  const label = paid.type === 'refund' ? 'Refund' : paid.renewal ? 'Renewal' : 'Payment';
  const sign = paid.type === 'refund' && !paid.amount.value.startsWith('-') ? '−' : '';
  return (
    <>
      <b>
        {label} {sign}
        {formatExactMoney(paid.amount)}
      </b>{' '}
      <small>
        {paid.product && `${paid.product} · `}
        <Link
          to={`/${domain}/payments/${encodeURIComponent(id)}${keptSearch(view)}`}
          className={wordsClass('link')}
        >
          {id}
        </Link>
      </small>
    </>
  );
}

const VERBS: Readonly<Record<string, string>> = { outbound: 'Left for', download: 'Downloaded' };

function Done({ done }: { readonly done: StoryMoment }) {
  const { type, title, goal, props = {} } = done;
  const page = done.page && showPath(done.page);
  const pairs = Object.entries(props).map(([name, value]) => `${name}: ${value}`);
  if (type === 'goal') {
    return (
      <>
        <b>{goal}</b> <small>{pairs.length > 0 ? pairs.join(' · ') : page}</small>
      </>
    );
  }
  return (
    <>
      <span>
        {VERBS[type]} {goal ?? page ?? type}
      </span>{' '}
      <small>{[title, ...pairs].filter(Boolean).join(' · ')}</small>
    </>
  );
}
