import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { Fragment, useEffect, useRef, useSyncExternalStore } from 'react';
import { Link } from 'wouter';
import type { LiveEvent, LivePayment } from '#contract/live.ts';
import { showPath } from '#domain/visit/paths.ts';
import { useTexts } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import { formatMoment } from '../../format/dates.ts';
import { formatExactMoney } from '../../format/numbers.ts';
import { moodOf, nameCountry, nameValue } from '../../format/values.ts';
import { Button } from '../../ui/button.tsx';
import {
  Card,
  CardHead,
  Inset,
  Log,
  LogLine,
  Soft,
  type WordLook,
  Words,
} from '../../ui/layout.tsx';
import { type Feed, followFeed, isPaid, type Moment, openFeed } from './feed.ts';
import styles from './live.module.css';

/** What visitors do and pay, live; `now` is in server time. */
export function Stream({ now }: { readonly now: string }) {
  const [params, set] = useTexts();
  const isPaused = params.has('paused');
  const feed = useFeed(now, isPaused);
  const turn = () => set({ paused: isPaused ? '' : '1' }, { replace: true });
  const { look, text } = describe(feed, isPaused);
  return (
    <Card>
      <CardHead>
        <h2>As it happens</h2>
        <Button size="small" onClick={turn}>
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
        <Words
          as="p"
          look={['small', look === 'bad' ? 'bad' : 'soft']}
          style={{ flexBasis: '100%' }}
          role="status"
        >
          <Words look={['dot', look]} />
          {text}
        </Words>
      </CardHead>
      {feed.moments.length === 0 ? (
        <Inset className={styles.moments} style={{ paddingBottom: 24 }}>
          <Soft>Pages, goals and payments appear here within two seconds.</Soft>
        </Inset>
      ) : (
        <Log className={styles.moments} aria-label="As it happens" tabIndex={0}>
          {feed.moments.map((moment) => (
            <Fragment key={moment.id}>
              {moment.id === feed.gapAfter && (
                <Words as="li" look={['soft', 'small']} style={{ textAlign: 'center' }}>
                  Some entries are not shown here.
                </Words>
              )}
              <MomentLine moment={moment} />
            </Fragment>
          ))}
        </Log>
      )}
    </Card>
  );
}

/** The status of the stream itself. */
function describe(
  { connection, refusal, isWarehouseAway }: Feed,
  isPaused: boolean,
): { readonly look: WordLook; readonly text: string } {
  if (isPaused) return { look: 'soft', text: 'Paused. Resuming shows what you missed.' };
  if (connection === 'opening') return { look: 'soft', text: 'Connecting …' };
  if (connection === 'refused') return { look: 'bad', text: `The stream ended. ${refusal}` };
  if (connection === 'lost') return { look: 'bad', text: 'Connection lost. Retrying …' };
  if (isWarehouseAway) {
    return { look: 'bad', text: 'The database is unavailable. Missed entries will follow.' };
  }
  return { look: 'good', text: 'Connected' };
}

function MomentLine({ moment }: { readonly moment: Moment }) {
  const { timezone } = useSite();
  return (
    <LogLine at={moment.at} time={formatMoment(moment.at, timezone)} mood={moodOf(moment.type)}>
      {isPaid(moment) ? <Paid paid={moment} /> : <Done done={moment} />}
    </LogLine>
  );
}

/**
 * The site's live events, starting a few minutes before `now`. A pause or a hidden tab closes the
 * stream; it then resumes where it stopped.
 */
function useFeed(now: string, isPaused: boolean): Feed {
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

/** A payment or refund in words. */
function Paid({ paid }: { readonly paid: LivePayment }) {
  const { domain } = useSite();
  const who = paid.service_visitor_id;
  const label = paid.type === 'refund' ? 'Refund' : paid.renewal ? 'Renewal' : 'Payment';
  return (
    <>
      <Link to={`/${domain}/payments/${encodeURIComponent(paid.transaction_id ?? '')}`}>
        <b>
          {label} {formatExactMoney(paid.amount)}
        </b>
      </Link>{' '}
      <small>
        {[paid.product, paid.source].filter(Boolean).join(' · ')}
        {who !== undefined && (
          <>
            {' · '}
            <Link to={`/${domain}/people/${encodeURIComponent(who)}`}>
              {paid.customer_id ?? 'the visitor'}
            </Link>
          </>
        )}
      </small>
    </>
  );
}

const VERBS: Readonly<Record<string, string>> = { outbound: 'Left for ', download: 'Downloaded ' };

/** A pageview, goal or click in words, which leads to the person, and what is known of the visit. */
function Done({ done }: { readonly done: LiveEvent }) {
  const { domain } = useSite();
  const { type, page, goal, target, source, country, city, device, browser } = done;
  const place = [city, country && nameCountry(country)].filter(Boolean).join(', ');
  const shownPage = page && showPath(page);
  const shownDevice = device && nameValue('visit:device', device);
  const about = [type !== 'pageview' && shownPage, source, place, shownDevice, browser];
  return (
    <>
      <Link to={`/${domain}/people/${encodeURIComponent(done.service_visitor_id ?? '')}`}>
        {type === 'goal' ? <b>{goal}</b> : `${VERBS[type] ?? ''}${target ?? shownPage ?? type}`}
      </Link>{' '}
      <small>{about.filter(Boolean).join(' · ')}</small>
    </>
  );
}
