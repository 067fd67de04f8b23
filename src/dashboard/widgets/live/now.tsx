import type { LiveAnswer } from '#contract/live.ts';
import { useSite } from '../../api/account.ts';
import { formatTime } from '../../format/instants.ts';
import { formatCount } from '../../format/numbers.ts';
import { Card } from '../../ui/card.tsx';
import styles from './live.module.css';

/** How many visitors are on now, and were in each of the last thirty minutes. */
export function Now({ live }: { readonly live: LiveAnswer }) {
  const { last_5_minutes, last_30_minutes } = live.visitors;
  return (
    <Card className={styles.now} aria-label="On now">
      <p className={styles.figure}>
        <span>On now</span>
        <b>{formatCount(last_5_minutes)}</b>
        <small>in the last 5 minutes</small>
      </p>
      <p className={styles.figure}>
        <span>30 minutes</span>
        <b>{formatCount(last_30_minutes)}</b>
        <small>visitors in the last 30 minutes</small>
      </p>
      <Minutes minutes={live.minutes} />
    </Card>
  );
}

function Minutes({ minutes }: Pick<LiveAnswer, 'minutes'>) {
  const { timezone } = useSite();
  const highest = Math.max(1, ...minutes.map(({ visitors }) => visitors));
  const label = `Visitors in each of the last ${minutes.length} minutes, at most ${highest} in one`;
  const [first] = minutes;
  return (
    <div className={styles.minutes}>
      <div className={styles.bars} role="img" aria-label={label}>
        {minutes.map(({ starts_at, visitors, pageviews }, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: minutes shift, positions do not.
            key={index}
            title={`${formatTime(starts_at, timezone)}: ${visitors} visitors, ${pageviews} pageviews`}
          >
            <i style={{ height: `${(visitors / highest) * 100}%` }} />
          </span>
        ))}
      </div>
      <p className={styles.axis}>
        <span>{first && formatTime(first.starts_at, timezone)}</span>
        <span>now</span>
      </p>
    </div>
  );
}
