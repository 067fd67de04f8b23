import type { PurchasePathsAnswer } from '#contract/reports/purchase-paths.ts';
import { useView } from '../address/address.ts';
import { isOld, toAttribution, useReport } from '../api/query.ts';
import { MODELS, modelOf } from '../format/models.ts';
import { formatCount, formatDuration } from '../format/numbers.ts';
import { Card, CardHead, Columns, Stack, Words, wordsClass } from '../ui/layout.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { type Column, numberColumn, Table, textColumn } from '../ui/table.tsx';
import {
  type CustomerClass,
  toClasses,
  toTimeLabel,
  toVisitsLabel,
} from '../widgets/attribution/classes-of.ts';
import { ModelComparison } from '../widgets/attribution/comparison.tsx';
import { useComparison } from '../widgets/attribution/shifts.ts';
import { Bar } from '../widgets/bar/bar.tsx';
import { FigureText } from '../widgets/figures/figures.tsx';

/** Who earns the revenue, by two models side by side, and how long buyers take. */
export function AttributionPage() {
  return (
    <>
      <Bar />
      <Stack>
        <h1>Attribution</h1>
        <ModelComparison />
        <ModelNotes />
        <PurchasePathsCard />
      </Stack>
    </>
  );
}

/** Explains the two chosen models, and all others on demand. */
function ModelNotes() {
  const { model, versus } = useComparison();
  const others = MODELS.filter(({ value }) => value !== model && value !== versus);
  return (
    <Card isPadded aria-label="What the models mean">
      <Columns as="dl" least={280} gap={24}>
        {[model, versus].map((each) => (
          <Note key={each} model={each} />
        ))}
      </Columns>
      <details style={{ marginTop: 16 }}>
        <summary className={wordsClass('soft')}>Other models</summary>
        <Columns as="dl" least={280} gap={24} style={{ paddingTop: 12 }}>
          {others.map(({ value }) => (
            <Note key={value} model={value} />
          ))}
        </Columns>
      </details>
    </Card>
  );
}

function Note({ model }: { readonly model: string }) {
  const { label, meaning, advice } = modelOf(model);
  return (
    <div>
      <Words as="dt" look="bold">
        {label}
      </Words>
      <dd>
        {meaning} <Words look="soft">{advice}</Words>
      </dd>
    </div>
  );
}

/** How long, and how many visits, new customers take to first pay. */
function PurchasePathsCard() {
  const [view] = useView();
  const { lookback_days } = toAttribution(view);
  const attribution = { lookback_days };
  const answer = useReport<PurchasePathsAnswer>('purchase-paths', view, { attribution });
  return (
    <Columns least={420} data-old={isOld(answer)}>
      <Histogram
        {...{ title: 'Time to purchase', of: answer }}
        toShown={({ time: { median, p90, buckets } }) => ({
          ...{ half: formatDuration(median), most: formatDuration(p90) },
          rows: toClasses(buckets, toTimeLabel),
        })}
      />
      <Histogram
        {...{ title: 'Visits to purchase', of: answer }}
        toShown={({ visits: { median, p90, buckets } }) => ({
          ...{ half: formatCount(median), most: formatCount(p90) },
          rows: toClasses(buckets, toVisitsLabel),
        })}
      />
    </Columns>
  );
}

type HistogramProps = {
  readonly title: string;
  readonly of: ReturnType<typeof useReport<PurchasePathsAnswer>>;
  readonly toShown: (row: PurchasePathsAnswer['results'][number]) => {
    readonly half: string;
    readonly most: string;
    readonly rows: readonly CustomerClass[];
  };
};

function Histogram({ title, of, toShown }: HistogramProps) {
  const row = of.data?.results[0];
  const { half, most, rows = [] } = row ? toShown(row) : {};
  const isEmpty = rows.every(({ customers }) => customers === 0);
  return (
    <Card aria-label={title} style={{ paddingBottom: 8 }}>
      <CardHead>
        <h2>{title}</h2>
        {!isEmpty && (
          <Words as="p" look={['soft', 'small']}>
            median <Words look={['ink', 'bold']}>{half}</Words>, 90% within{' '}
            <Words look={['ink', 'bold']}>{most}</Words>
          </Words>
        )}
      </CardHead>
      <Loaded
        {...{ of, height: 324, isInset: true, isEmpty: () => isEmpty }}
        empty="Nobody made a first payment in this period."
      >
        {() => (
          <Table {...{ label: title, columns: COLUMNS, rows }} keyOf={({ from }) => `${from}`} />
        )}
      </Loaded>
    </Card>
  );
}

const COLUMNS: readonly Column<CustomerClass>[] = [
  textColumn(
    {
      label: 'Until the first payment',
      bars: ({ customersLength, revenueLength }) => ({
        ...{ first: customersLength, second: revenueLength },
      }),
    },
    ({ label }) => label,
  ),
  numberColumn('Customers', ({ customers }) => formatCount(customers)),
  numberColumn('Revenue', ({ revenue }) => <FigureText value={revenue} />),
];
