import { Fragment } from 'react';
import { useParams } from '../../address/address.ts';
import { withTexts } from '../../address/with-texts.ts';
import { useSite } from '../../api/account.ts';
import { formatMoment } from '../../format/instants.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { type Feed, isPaid, type Moment } from './feed.ts';
import styles from './live.module.css';
import { Done, Paid } from './moment-text.tsx';
import { useFeed } from './use-feed.ts';

/** What visitors do and pay, live; `now` is in server time. */
export function Stream({ now }: { readonly now: string }) {
  const [params, setParams] = useParams();
  const isPaused = params.has('paused');
  const feed = useFeed(now, isPaused);
  const turn = () =>
    setParams((now) => withTexts(now, { paused: isPaused ? '' : '1' }), { replace: true });
  const { look, text } = describe(feed, isPaused);
  return (
    <Card className={styles.stream}>
      <div className={styles.streamHead}>
        <h2>As it happens</h2>
        <Button size="small" onClick={turn}>
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
        <p className={styles.state} data-look={look} role="status">
          {text}
        </p>
      </div>
      {feed.moments.length === 0 ? (
        <p className={styles.none}>Pages, goals and payments appear here within two seconds.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards must be able to scroll it.
        <ol className={styles.moments} aria-label="As it happens" tabIndex={0}>
          {feed.moments.map((moment) => (
            <Fragment key={moment.id}>
              {moment.id === feed.gapAfter && (
                <li className={styles.gap}>Some entries are not shown here.</li>
              )}
              <MomentLine moment={moment} />
            </Fragment>
          ))}
        </ol>
      )}
    </Card>
  );
}

/** The status of the stream itself. */
function describe({ connection, refusal, isWarehouseAway }: Feed, isPaused: boolean) {
  if (isPaused) return { look: 'off', text: 'Paused. Resuming shows what you missed.' };
  if (connection === 'opening') return { look: 'off', text: 'Connecting …' };
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
    <li className={styles.moment} data-kind={moment.type}>
      <time dateTime={moment.at}>{formatMoment(moment.at, timezone)}</time>
      <div>{isPaid(moment) ? <Paid paid={moment} /> : <Done done={moment} />}</div>
    </li>
  );
}
