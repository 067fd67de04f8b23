import type { FunnelAnswer } from '#contract/reports/funnel.ts';
import type { ChangeView, View } from '../../address/address.ts';
import { filterBy } from '../../address/filters.ts';
import { isOld } from '../../api/query.ts';
import { nameDimension } from '../../format/dimensions.ts';
import { formatCount, formatDuration, toNumber } from '../../format/numbers.ts';
import { nameRow } from '../../format/values.ts';
import { Card } from '../../ui/card.tsx';
import { Arrow } from '../../ui/menu/arrow.tsx';
import { Menu, MenuChoices } from '../../ui/menu/menu.tsx';
import { Bones, EmptyNote, Unloaded } from '../../ui/note.tsx';
import { TwoBars } from '../../ui/pictures/two-bars.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import { FigureText } from '../figures/figure.tsx';
import styles from './breakdown.module.css';
import { formatRate } from './rate.ts';
import type { FunnelView } from './steps.ts';
import { type ChangeFunnel, useFunnelAnswer } from './use-funnel.ts';

const ROWS = 12;
const SPLITS = [
  'visit:channel',
  'visit:source',
  'visit:campaign',
  'visit:entry_page',
  'visit:country',
  'visit:device',
  'visit:browser',
].map((value) => ({ value, label: nameDimension(value) }));

type Props = {
  readonly view: View;
  readonly onView: ChangeView;
  readonly funnel: FunnelView;
  readonly onFunnel: ChangeFunnel;
};

/** The funnel by channel, source, device … of the visit it started in. */
export function Breakdown({ view, onView, funnel, onFunnel }: Props) {
  const { split } = funnel;
  const answer = useFunnelAnswer(view, funnel, { dimensions: [split], limit: ROWS });
  const label = SPLITS.find(({ value }) => value === split)?.label ?? split.replace(/^.*:/, '');
  const { data } = answer;
  return (
    <Card className={styles.card} aria-label="Breakdown of the funnel">
      <div className={styles.top}>
        <h2>By {label.toLowerCase()}</h2>
        <Menu
          name={`${label}: break down by`}
          label={
            <>
              {label} <Arrow />
            </>
          }
          align="end"
        >
          <MenuChoices
            value={split}
            choices={SPLITS}
            onChoose={(chosen) => onFunnel({ split: chosen })}
          />
        </Menu>
      </div>
      {data === undefined && (
        <Unloaded {...answer}>
          <div className={styles.rest}>
            <Bones height={320} />
          </div>
        </Unloaded>
      )}
      {data?.results.length === 0 && (
        <EmptyNote>Nobody started this funnel in the period.</EmptyNote>
      )}
      {data !== undefined && data.results.length > 0 && (
        <div data-old={isOld(answer)}>
          <Table
            label={`The funnel by ${label.toLowerCase()}`}
            columns={COLUMNS}
            rows={data.results}
            keyOf={({ dimensions }) => dimensions[0] ?? ''}
            cell={(row, column) => (
              <Cell
                {...{ rows: data.results, row, column }}
                split={data.query.dimensions?.[0] ?? split}
                onPick={(value) => onView({ filters: filterBy(view.filters, 'is', split, value) })}
              />
            )}
          />
        </div>
      )}
      {data !== undefined && data.meta.total_rows > data.results.length && (
        <p className={styles.rest}>
          {data.results.length} of {formatCount(data.meta.total_rows)}, those that most began from.
        </p>
      )}
    </Card>
  );
}

type Row = FunnelAnswer['results'][number];

const COLUMNS = [
  { name: 'origin', label: 'Began from', isCut: true },
  { name: 'started', label: 'Started', isNumber: true },
  { name: 'finished', label: 'Finished', isNumber: true, isWide: true },
  { name: 'rate', label: 'Share', isNumber: true },
  { name: 'time', label: 'Median time', isNumber: true, isWide: true },
  { name: 'revenue', label: 'Revenue', isNumber: true },
] as const satisfies readonly Column<string>[];

type CellProps = {
  readonly rows: readonly Row[];
  readonly row: Row;
  readonly column: (typeof COLUMNS)[number]['name'];
  readonly split: string;
  readonly onPick: (value: string) => void;
};

function Cell({ rows, row, column, split, onPick }: CellProps) {
  const {
    dimensions: [value = ''],
    steps,
    revenue,
  } = row;
  const last = steps.at(-1);
  const name = nameRow({ dimension: split }, value).text;
  switch (column) {
    case 'origin':
      return (
        <>
          <button type="button" className={styles.name} title={name} onClick={() => onPick(value)}>
            {name}
          </button>
          <TwoBars
            first={startedOf(row) / Math.max(...rows.map(startedOf))}
            second={paidOf(row) / Math.max(1, ...rows.map(paidOf))}
          />
        </>
      );
    case 'started':
      return formatCount(startedOf(row));
    case 'finished':
      return formatCount(last?.reached ?? 0);
    case 'rate':
      return formatRate(last?.conversion_rate ?? null);
    case 'time':
      return formatDuration(last?.median_seconds_from_start ?? null);
    case 'revenue':
      return <FigureText value={revenue} />;
  }
}

function startedOf({ steps }: Row): number {
  return steps[0]?.reached ?? 0;
}

function paidOf({ revenue }: Row): number {
  return Math.max(0, toNumber(revenue));
}
