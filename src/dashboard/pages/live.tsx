import { Link, useLocation } from 'wouter';
import type { LiveAnswer } from '#contract/live.ts';
import { DEFAULT_VIEW, keptSearch } from '../address/address.ts';
import { useLive, useSite } from '../api/account.ts';
import { formatTime } from '../format/dates.ts';
import type { ShownMetric } from '../format/metrics.ts';
import { formatCount, formatNoun } from '../format/numbers.ts';
import { nameValue } from '../format/values.ts';
import { Card, Columns, Inline, LengthBar, Soft, Stack, Words, wordsClass } from '../ui/layout.tsx';
import { Loaded, lazyPart } from '../ui/loaded.tsx';
import { type Column, numberColumn, Table, textColumn } from '../ui/table.tsx';
import styles from '../widgets/live/live.module.css';
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

const ROWS_MAX = 10;

type PlacesProps = {
  readonly title: string;
  readonly dimension: string;
  readonly rows: LiveAnswer['pages'];
  readonly ifEmpty: string;
};

/** Where visitors are or came from: now, and in the last half hour. */
function LivePlaces({ title, dimension, rows, ifEmpty }: PlacesProps) {
  const highest = Math.max(1, ...rows.map(({ visitors }) => visitors.last_30_minutes));
  const columns: readonly Column<LiveAnswer['pages'][number]>[] = [
    textColumn(
      {
        name: 'value',
        label: (
          <Words as="h2" look="ink">
            {title}
          </Words>
        ),
      },
      ({ value, visitors: { last_5_minutes: now, last_30_minutes: all } }) => (
        <>
          <Value value={value} dimension={dimension} />
          <LengthBar length={all / highest} colour="var(--blue-bar)">
            <LengthBar length={now / all} colour="var(--blue-line)" />
          </LengthBar>
        </>
      ),
    ),
    numberColumn('Now', ({ visitors }) => formatCount(visitors.last_5_minutes)),
    numberColumn({ label: '30 min', className: wordsClass('soft') }, ({ visitors }) =>
      formatCount(visitors.last_30_minutes),
    ),
  ];
  return (
    <Card isPadded>
      <Table
        {...{ label: title, columns, look: 'lines' }}
        rows={rows.slice(0, ROWS_MAX)}
        keyOf={({ value }) => value}
        rowAttributes={() => ({ style: { height: 36 } })}
      />
      {rows.length === 0 && <Soft>{ifEmpty}</Soft>}
    </Card>
  );
}

function Value({ value, dimension }: { readonly value: string; readonly dimension: string }) {
  const { domain } = useSite();
  if (value === '(none)') return <Words look="cut">{value}</Words>;
  const filter = { operator: 'is', dimension, values: [value] } as const;
  return (
    <Link
      className={wordsClass('cut')}
      to={`/${domain}${keptSearch({ ...TODAY, filters: [filter] })}`}
      title={value}
    >
      {nameValue(dimension, value)}
    </Link>
  );
}

/** As high as the map, and the line below it. */
const WAITING = { aspectRatio: '560 / 272', maxHeight: 268, margin: '0 16px 24px' };

const WorldMap = lazyPart(
  () => import('../widgets/panels/map/map-panel.tsx'),
  'WorldMap',
  <div style={WAITING} aria-hidden="true" />,
);

const VISITORS: ShownMetric = 'visitors';
const MEASURE = { metrics: [VISITORS], heads: ['Visitors in 30 minutes'], main: VISITORS };
/** Where a click on a country or row leads: today's matching visitors. */
const TODAY = { ...DEFAULT_VIEW, period: 'day' };

/** Countries of visitors in the last half hour; a click opens today's. */
function LiveMap({ countries }: Pick<LiveAnswer, 'countries'>) {
  const { domain } = useSite();
  const [, navigate] = useLocation();
  const places = countries
    .filter(({ value }) => value !== '(none)')
    .map(({ value, visitors }) => ({ code: value, metrics: [visitors.last_30_minutes] }));
  const overview = `/${domain}`;
  return (
    <Card style={{ padding: '16px 8px 12px' }} aria-label="Countries">
      <WorldMap
        {...{ places, measure: MEASURE, view: TODAY, path: overview }}
        hint={places.length > 0 ? 'Point at a country.' : toHint(countries)}
        onChange={(change) => navigate(`${overview}${keptSearch({ ...TODAY, ...change })}`)}
      />
    </Card>
  );
}

/** Why the map is empty. */
function toHint(countries: LiveAnswer['countries']): string {
  return countries.length === 0
    ? 'Nobody is on the site.'
    : 'The countries of these visitors are unknown.';
}
