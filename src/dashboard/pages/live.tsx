import type { LiveAnswer } from '#contract/live.ts';
import { useLive, useSite } from '../api/account.ts';
import { formatTime } from '../format/dates.ts';
import { formatCount, formatNoun } from '../format/numbers.ts';
import { Card, Columns, Inline, Stack, Words, wordsClass } from '../ui/layout.tsx';
import { Loaded } from '../ui/loaded.tsx';
import styles from '../widgets/live/live.module.css';
import { LiveMap, LivePlaces } from '../widgets/live/places.tsx';
import { Stream } from '../widgets/live/stream.tsx';

const REFRESH_MS = 5_000;

/** Who is on the site now, where they are and came from, and what they do. */
export function LivePage() {
  return (
    <>
      <h1 style={{ padding: '8px 0 16px' }}>Live</h1>
      <Loaded of={useLive(REFRESH_MS)} height={480}>
        {(live) => (
          <Columns least={451}>
            <Now live={live} />
            <Stream now={live.now} />
            <Stack>
              <LiveMap countries={live.countries} />
              <LivePlaces
                {...{ title: 'Pages', dimension: 'event:page', rows: live.pages }}
                ifEmpty="Nobody is on the site. Pages appear here when they are opened."
              />
              <LivePlaces
                {...{ title: 'Sources', dimension: 'visit:source', rows: live.sources }}
                ifEmpty="The sources of the next visitors will appear here."
              />
            </Stack>
          </Columns>
        )}
      </Loaded>
    </>
  );
}

/** How many visitors are on now, and were in each of the last thirty minutes. */
function Now({ live }: { readonly live: LiveAnswer }) {
  const { last_5_minutes, last_30_minutes } = live.visitors;
  return (
    <Card className={styles.now} aria-label="On now">
      <Count label="On now" count={last_5_minutes} about="in the last 5 minutes" />
      <Count label="30 minutes" count={last_30_minutes} about="visitors in the last 30 minutes" />
      <Minutes minutes={live.minutes} />
    </Card>
  );
}

function Count(props: { readonly label: string; readonly count: number; readonly about: string }) {
  const { label, count, about } = props;
  return (
    <Stack as="p" gap={0} style={{ paddingBottom: 8, whiteSpace: 'nowrap' }}>
      <Words look={['soft', 'small']}>{label}</Words>
      <Words as="b" look="large">
        {formatCount(count)}
      </Words>
      <Words look={['soft', 'small']}>{about}</Words>
    </Stack>
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
            title={`${formatTime(starts_at, timezone)}: ${formatNoun(visitors, 'visitor')}, ${formatNoun(pageviews, 'pageview')}`}
          >
            <i style={{ height: `${(visitors / highest) * 100}%` }} />
          </span>
        ))}
      </div>
      <Inline as="p" isSpread className={wordsClass('soft', 'tiny')}>
        <span>{first && formatTime(first.starts_at, timezone)}</span>
        <span>now</span>
      </Inline>
    </div>
  );
}
