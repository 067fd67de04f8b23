import type { FunnelAnswer } from '#contract/reports/funnel.ts';
import { useView } from '../../address/address.ts';
import { filterBy } from '../../address/filters.ts';
import { isOld } from '../../api/query.ts';
import { nameDimension } from '../../format/dimensions.ts';
import { formatCount, formatDuration, formatRate, toNumber } from '../../format/numbers.ts';
import { nameRow } from '../../format/values.ts';
import { NameButton } from '../../ui/button.tsx';
import { Card, CardHead, Inset, Words } from '../../ui/layout.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { ChoiceMenu } from '../../ui/menu/menu.tsx';
import { type Column, numberColumn, Table, textColumn } from '../../ui/table.tsx';
import { FigureText } from '../figures/figures.tsx';
import { useFunnel, useFunnelAnswer } from './steps.ts';

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

/** The funnel by channel, source, device … of the visit it started in. */
export function Breakdown() {
  const [funnel, change] = useFunnel();
  const [view, changeView] = useView();
  const { split } = funnel;
  const answer = useFunnelAnswer(view, funnel, { dimensions: [split], limit: ROWS });
  const label = SPLITS.find(({ value }) => value === split)?.label ?? split.replace(/^.*:/, '');
  const { data } = answer;
  return (
    <Card style={{ marginTop: 16, paddingBottom: 8 }} aria-label="Breakdown of the funnel">
      <CardHead>
        <h2>By {label.toLowerCase()}</h2>
        <ChoiceMenu
          {...{ name: 'Break down by', label, value: split, choices: SPLITS, align: 'end' }}
          onChoose={(chosen) => change({ split: chosen })}
        />
      </CardHead>
      <Loaded
        of={answer}
        {...{ height: 320, isInset: true, isOld: isOld(answer) }}
        empty="Nobody started this funnel in the period."
      >
        {({ results, query }) => (
          <Table
            label={`The funnel by ${label.toLowerCase()}`}
            columns={columnsOf({
              rows: results,
              split: query.dimensions?.[0] ?? split,
              onPick: (value) =>
                changeView({ filters: filterBy(view.filters, 'is', split, value) }),
            })}
            rows={results}
            keyOf={({ dimensions }) => dimensions[0] ?? ''}
          />
        )}
      </Loaded>
      {data !== undefined && data.meta.total_rows > data.results.length && (
        <Inset>
          <Words look={['soft', 'small']}>
            {data.results.length} of {formatCount(data.meta.total_rows)}, those that most began
            from.
          </Words>
        </Inset>
      )}
    </Card>
  );
}

type Row = FunnelAnswer['results'][number];

type Shown = {
  readonly rows: readonly Row[];
  readonly split: string;
  readonly onPick: (value: string) => void;
};

function columnsOf({ rows, split, onPick }: Shown): readonly Column<Row>[] {
  const most = Math.max(...rows.map(startedOf));
  const highest = Math.max(1, ...rows.map(paidOf));
  return [
    textColumn(
      {
        label: 'Began from',
        isCut: true,
        bars: (row) => ({ first: startedOf(row) / most, second: paidOf(row) / highest }),
      },
      ({ dimensions: [value = ''] }) => {
        const name = nameRow({ dimension: split }, value).text;
        return (
          <NameButton title={name} onClick={() => onPick(value)}>
            {name}
          </NameButton>
        );
      },
    ),
    numberColumn('Started', (row) => formatCount(startedOf(row))),
    numberColumn({ label: 'Finished', isWide: true }, ({ steps }) =>
      formatCount(steps.at(-1)?.reached ?? 0),
    ),
    numberColumn('Share', ({ steps }) => formatRate(steps.at(-1)?.conversion_rate ?? null)),
    numberColumn({ label: 'Median time', isWide: true }, ({ steps }) =>
      formatDuration(steps.at(-1)?.median_seconds_from_start ?? null),
    ),
    numberColumn('Revenue', ({ revenue }) => <FigureText value={revenue} />),
  ];
}

function startedOf({ steps }: Row): number {
  return steps[0]?.reached ?? 0;
}

function paidOf({ revenue }: Row): number {
  return Math.max(0, toNumber(revenue));
}
