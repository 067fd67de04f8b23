import type { MrrAnswer } from '#contract/reports/mrr.ts';
import type { View } from '../../address/address.ts';
import { useReport } from '../../api/query.ts';
import { formatBucket } from '../../format/dates.ts';
import { formatCount, formatPercent, signOf, toNumber } from '../../format/numbers.ts';
import { LengthBar, Words } from '../../ui/layout.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { type Column, numberColumn, Table, textColumn } from '../../ui/table.tsx';
import { FigureText } from '../figures/figures.tsx';
import styles from './retention.module.css';
import { useCohortDays } from './retention-view.ts';

type Month = MrrAnswer['results'][number];

/** Monthly recurring revenue and its changes, latest month first. */
export function Recurring({ view }: { readonly view: View }) {
  const answer = useReport<MrrAnswer>('mrr', view, { date_range: useCohortDays('month') });
  return (
    <Loaded
      of={answer}
      height={420}
      isEmpty={({ results }) => firstOf(results) === results.length}
      empty="No recurring revenue yet. Report subscription payments with a subscription_id."
    >
      {({ results }) => (
        <div className={styles.wide}>
          <Table
            label="Monthly recurring revenue"
            columns={columnsOf(Math.max(1, ...results.map(({ end }) => toNumber(end))))}
            rows={results.slice(firstOf(results)).toReversed()}
            keyOf={({ month }) => month}
          />
        </div>
      )}
    </Loaded>
  );
}

/** The first month with recurring revenue; past the end when there is none. */
function firstOf(months: readonly Month[]): number {
  const first = months.findIndex(({ start, end }) => signOf(start) !== 0 || signOf(end) !== 0);
  return first === -1 ? months.length : first;
}

const columnsOf = (most: number): readonly Column<Month>[] => [
  textColumn('Month', ({ month, is_complete }) => (
    <>
      {formatBucket(month, 'month')}
      {!is_complete && (
        <Words as="small" look="soft">
          {' '}
          so far
        </Words>
      )}
    </>
  )),
  numberColumn('MRR', ({ end }) => (
    <>
      <FigureText value={end} />
      <LengthBar
        length={toNumber(end) / most}
        colour="var(--green-bar)"
        style={{ marginLeft: 'auto' }}
      />
    </>
  )),
  toChange('new', 'New', '+'),
  { ...toChange('expansion', 'Expansion', '+'), isWide: true },
  { ...toChange('reactivated', 'Reactivated', '+'), isWide: true },
  { ...toChange('contraction', 'Contraction', '−'), isWide: true },
  toChange('churned', 'Churned', '−'),
  numberColumn({ label: 'Customers', isWide: true }, ({ customers }) => formatCount(customers.end)),
  numberColumn({ label: 'Churn', isWide: true }, ({ customer_churn_rate }) =>
    formatPercent(customer_churn_rate),
  ),
];

type Changed = 'new' | 'expansion' | 'reactivated' | 'contraction' | 'churned';

function toChange(name: Changed, label: string, mark: '+' | '−'): Column<Month> {
  return {
    ...{ name, label, isNumber: true },
    cell: ({ [name]: money }) =>
      signOf(money) === 0 ? (
        <Words look="soft">–</Words>
      ) : (
        <Words look={mark === '+' ? 'good' : 'bad'}>
          {mark}
          <FigureText value={money} />
        </Words>
      ),
  };
}
