import type { PurchasePathsAnswer } from '#contract/reports/purchase-paths.ts';
import type { View } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import { isOld, toAttribution, toDateRange, toFilters, useReport } from '../../api/query.ts';
import { formatCount, formatDuration } from '../../format/numbers.ts';
import { Card } from '../../ui/card.tsx';
import { CardHead, Columns, Inset, Words } from '../../ui/layout.tsx';
import { Bones, EmptyNote, ErrorNote } from '../../ui/note.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { FigureText } from '../figures/figure.tsx';
import { type CustomerClass, toClasses, toTimeLabel, toVisitsLabel } from './classes-of.ts';
import styles from './purchase-paths.module.css';

/** How long, and how many visits, new customers take to first pay. */
export function PurchasePathsCard({ view }: { readonly view: View }) {
  const { domain, timezone } = useSite();
  const { lookback_days } = toAttribution(view);
  const answer = useReport<PurchasePathsAnswer>('/api/v1/query/purchase-paths', {
    site_id: domain,
    date_range: toDateRange(view, timezone),
    filters: toFilters(view.filters),
    attribution: { lookback_days },
  });
  if (answer.error !== null && answer.data === undefined) {
    return (
      <Card>
        <ErrorNote error={answer.error} onRetry={() => void answer.refetch()} />
      </Card>
    );
  }
  const row = answer.data?.results[0];
  const isReady = answer.data !== undefined;
  return (
    <Columns least={420} data-old={isOld(answer)}>
      <Histogram
        title="Time to purchase"
        isReady={isReady}
        middle={row && formatDuration(row.time.median)}
        most={row && formatDuration(row.time.p90)}
        rows={row && toClasses(row.time.buckets, toTimeLabel)}
      />
      <Histogram
        title="Visits to purchase"
        isReady={isReady}
        middle={row && formatCount(row.visits.median)}
        most={row && formatCount(row.visits.p90)}
        rows={row && toClasses(row.visits.buckets, toVisitsLabel)}
      />
    </Columns>
  );
}

type HistogramProps = {
  readonly title: string;
  readonly isReady: boolean;
  readonly middle: string | undefined;
  readonly most: string | undefined;
  readonly rows: readonly CustomerClass[] | undefined;
};

function Histogram({ title, isReady, middle, most, rows = [] }: HistogramProps) {
  const isEmpty = rows.every(({ customers }) => customers === 0);
  return (
    <Card aria-label={title} className={styles.card}>
      <CardHead>
        <h2>{title}</h2>
        {!isEmpty && (
          <Words as="p" look={['soft', 'small']}>
            half within <b>{middle}</b>, nine in ten within <b>{most}</b>
          </Words>
        )}
      </CardHead>
      {!isReady ? (
        <Inset>
          <Bones height={324} />
        </Inset>
      ) : isEmpty ? (
        <EmptyNote>Nobody made a first payment in this period.</EmptyNote>
      ) : (
        <Table {...{ label: title, columns: COLUMNS, rows }} keyOf={({ from }) => `${from}`} />
      )}
    </Card>
  );
}

const COLUMNS: readonly Column<CustomerClass>[] = [
  {
    ...{ name: 'label', label: 'Until the first payment', cell: ({ label }) => label },
    bars: ({ customersLength, revenueLength }) => ({
      ...{ first: customersLength, second: revenueLength },
    }),
  },
  {
    ...{ name: 'customers', label: 'Customers', isNumber: true },
    cell: ({ customers }) => formatCount(customers),
  },
  {
    ...{ name: 'revenue', label: 'Revenue', isNumber: true },
    cell: ({ revenue }) => <FigureText value={revenue} />,
  },
];
