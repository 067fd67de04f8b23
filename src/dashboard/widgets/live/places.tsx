import { Link, useLocation } from 'wouter';
import type { LiveAnswer } from '#contract/live.ts';
import { DEFAULT_VIEW, keptSearch } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import type { ShownMetric } from '../../format/metrics.ts';
import { formatCount } from '../../format/numbers.ts';
import { nameValue } from '../../format/values.ts';
import { Card, LengthBar, Soft, Words, wordsClass } from '../../ui/layout.tsx';
import { lazyPart } from '../../ui/loaded.tsx';
import { type Column, numberColumn, Table, textColumn } from '../../ui/table.tsx';

const ROWS_MAX = 10;

type PlacesProps = {
  readonly title: string;
  readonly dimension: string;
  readonly rows: LiveAnswer['pages'];
  readonly ifEmpty: string;
};

/** Where visitors are or came from: now, and in the last half hour. */
export function LivePlaces({ title, dimension, rows, ifEmpty }: PlacesProps) {
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
  () => import('../panels/map/map-panel.tsx'),
  'WorldMap',
  <div style={WAITING} aria-hidden="true" />,
);

const VISITORS: ShownMetric = 'visitors';
const MEASURE = { metrics: [VISITORS], heads: ['Visitors in 30 minutes'], main: VISITORS };
/** Where a click on a country or row leads: today's matching visitors. */
const TODAY = { ...DEFAULT_VIEW, period: 'day' };

/** Countries of visitors in the last half hour; a click opens today's. */
export function LiveMap({ countries }: Pick<LiveAnswer, 'countries'>) {
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
