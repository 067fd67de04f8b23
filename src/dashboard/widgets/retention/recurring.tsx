import type { MrrAnswer } from '#contract/reports/mrr.ts';
import type { View } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import { toFilters, useReport } from '../../api/query.ts';
import { signOf } from '../../format/amounts.ts';
import { formatBucket, todayIn } from '../../format/dates.ts';
import { formatCount, formatPercent, toNumber } from '../../format/numbers.ts';
import { EmptyNote, Unloaded } from '../../ui/note.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import { FigureText } from '../figures/figure.tsx';
import styles from './retention.module.css';
import { toCohortDays } from './retention-view.ts';

type Month = MrrAnswer['results'][number];

const COLUMNS = [
  { name: 'month', label: 'Month' },
  { name: 'end', label: 'MRR', isNumber: true },
  { name: 'new', label: 'New', isNumber: true },
  { name: 'expansion', label: 'Expansion', isNumber: true, isWide: true },
  { name: 'reactivated', label: 'Reactivated', isNumber: true, isWide: true },
  { name: 'contraction', label: 'Contraction', isNumber: true, isWide: true },
  { name: 'churned', label: 'Churned', isNumber: true },
  { name: 'customers', label: 'Customers', isNumber: true, isWide: true },
  { name: 'churn', label: 'Churn', isNumber: true, isWide: true },
] as const satisfies readonly Column<string>[];
type Name = (typeof COLUMNS)[number]['name'];

/** Monthly recurring revenue and its changes, latest month first. */
export function Recurring({ view }: { readonly view: Pick<View, 'filters'> }) {
  const { domain, timezone } = useSite();
  const { data, error, refetch } = useReport<MrrAnswer>('/api/v1/query/mrr', {
    site_id: domain,
    date_range: toCohortDays('month', todayIn(timezone)),
    filters: toFilters(view.filters),
  });
  if (data === undefined) return <Unloaded {...{ error, refetch }} height={420} />;
  const months = data.results.slice(firstOf(data.results)).toReversed();
  if (months.length === 0) {
    return (
      <EmptyNote>
        No recurring revenue yet. Report subscription payments with a subscription_id.
      </EmptyNote>
    );
  }
  const most = Math.max(1, ...months.map(({ end }) => toNumber(end)));
  return (
    <div className={styles.wide}>
      <Table
        label="Monthly recurring revenue"
        columns={COLUMNS}
        rows={months}
        keyOf={({ month }) => month}
        cell={(month, name) => <Cell {...{ month, name, most }} />}
      />
    </div>
  );
}

/** The first month with recurring revenue; past the end when there is none. */
function firstOf(months: readonly Month[]): number {
  const first = months.findIndex(({ start, end }) => signOf(start) !== 0 || signOf(end) !== 0);
  return first === -1 ? months.length : first;
}

type CellProps = { readonly month: Month; readonly name: Name; readonly most: number };

function Cell({ month, name, most }: CellProps) {
  switch (name) {
    case 'month':
      return (
        <>
          {formatBucket(month.month, 'month')}
          {!month.is_complete && <small className={styles.soFar}> so far</small>}
        </>
      );
    case 'end':
      return (
        <>
          <FigureText value={month.end} />
          <span className={styles.track} aria-hidden="true">
            <i style={{ width: `${(toNumber(month.end) / most) * 100}%` }} />
          </span>
        </>
      );
    case 'customers':
      return formatCount(month.customers.end);
    case 'churn':
      return formatPercent(month.customer_churn_rate);
    case 'contraction':
    case 'churned':
      return <Change mark="−" money={month[name]} className={styles.loss ?? ''} />;
    default:
      return <Change mark="+" money={month[name]} className={styles.gain ?? ''} />;
  }
}

type ChangeProps = {
  readonly mark: string;
  readonly money: Month['new'];
  readonly className: string;
};

function Change({ mark, money, className }: ChangeProps) {
  if (signOf(money) === 0) return <span className={styles.soFar}>–</span>;
  return (
    <span className={className}>
      {mark}
      <FigureText value={money} />
    </span>
  );
}
