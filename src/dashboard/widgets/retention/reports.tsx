import type { CSSProperties } from 'react';
import type { LtvAnswer } from '#contract/reports/ltv.ts';
import type { MrrAnswer } from '#contract/reports/mrr.ts';
import type { RetentionAnswer } from '#contract/reports/retention.ts';
import { useView } from '../../address/address.ts';
import { useReport } from '../../api/query.ts';
import { formatTick } from '../../format/dates.ts';
import { formatCount, formatPercent, signOf, toNumber } from '../../format/numbers.ts';
import { classes, Hidden, LengthBar, Words, wordsClass } from '../../ui/layout.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { type Column, numberColumn, Table, textColumn } from '../../ui/table.tsx';
import { FigureText } from '../figures/figures.tsx';
import {
  COHORTS,
  type CohortUnit,
  type Grid,
  type GridRow,
  toLifetimeGrid,
  toRetentionGrid,
  useCohortDays,
} from './cohorts.ts';
import styles from './retention.module.css';

type RetainedProps = { readonly part: 'visits' | 'payers'; readonly unit: CohortUnit };

/** How many of each cohort visit or pay again. */
export function Retained({ part, unit }: RetainedProps) {
  const [view] = useView();
  const isPaid = part === 'payers';
  const answer = useReport<RetentionAnswer>('retention', view, {
    ...{ date_range: useCohortDays(unit), unit, periods: COHORTS },
    cohort: isPaid ? 'first_payment' : 'first_visit',
    measure: isPaid ? 'revenue' : 'activity',
  });
  return (
    <Shown
      answer={answer}
      toGrid={toRetentionGrid}
      empty={isPaid ? 'Nobody paid in this period.' : 'Nobody visited the site in this period.'}
      {...{ unit, from: 0, members: isPaid ? 'Customers' : 'Visitors', isMoney: false }}
      label={isPaid ? 'Customers who pay again' : 'Visitors who come back'}
    />
  );
}

/** Lifetime revenue per customer, by cohort. */
export function Lifetime() {
  const [view] = useView();
  const answer = useReport<LtvAnswer>('ltv', view, {
    ...{ date_range: useCohortDays('month'), cohort: 'first_payment', months: COHORTS },
  });
  return (
    <Shown
      answer={answer}
      toGrid={toLifetimeGrid}
      empty="Nobody paid in this period."
      {...{ unit: 'month', from: 1, members: 'Customers', isMoney: true }}
      label="Revenue of a customer"
    />
  );
}

type ShownProps<Answer> = {
  readonly answer: ReturnType<typeof useReport<Answer>>;
  readonly toGrid: (answer: Answer) => Grid;
  readonly label: string;
  readonly unit: CohortUnit;
  readonly members: string;
  readonly from: number;
  readonly isMoney: boolean;
  readonly empty: string;
};

function Shown<Answer>({ answer, toGrid, empty, ...props }: ShownProps<Answer>) {
  return (
    <Loaded
      of={answer}
      height={420}
      isEmpty={(found) => toGrid(found).rows.length < 2}
      empty={empty}
    >
      {(found) => <CohortGrid grid={toGrid(found)} {...props} />}
    </Loaded>
  );
}

type CohortGridProps = {
  readonly label: string;
  readonly grid: Grid;
  readonly unit: CohortUnit;
  /** What members are called: `Visitors`. */
  readonly members: string;
  /** The first column's number. */
  readonly from: number;
  readonly isMoney: boolean;
};

/** Cohorts as rows, the periods since as columns; stronger colour means more. */
function CohortGrid({ label, grid, unit, members, from, isMoney }: CohortGridProps) {
  const columns: readonly Column<GridRow>[] = [
    textColumn({ name: 'cohort', label: unit === 'week' ? 'Week of' : 'Month' }, ({ cohort }) =>
      cohort === undefined ? 'All' : formatTick(cohort, unit),
    ),
    numberColumn({ name: 'members', label: members, className: wordsClass('soft') }, ({ size }) =>
      formatCount(size),
    ),
    ...Array.from({ length: grid.width }, (_, at) =>
      numberColumn(
        {
          name: `${at}`,
          label: (
            <>
              <span className={styles.unit}>{unit === 'week' ? 'Week ' : 'Month '}</span>
              {at + from}
            </>
          ),
          attributes: ({ cells }: GridRow) => ({
            title: cells[at]?.hint,
            style: { '--heat': cells[at]?.heat } as CSSProperties,
          }),
        },
        ({ cells }: GridRow) => <CellText of={cells[at]} />,
      ),
    ),
  ];
  return (
    <Table
      {...{ label, columns, rows: grid.rows, look: 'heat' }}
      keyOf={({ cohort = '' }) => cohort}
      rowAttributes={({ cohort }) => ({ className: classes(!cohort && styles.all) })}
      className={classes(isMoney && styles.money)}
    />
  );
}

/** Three dots say nothing when read aloud. */
function CellText({ of: cell }: { readonly of: GridRow['cells'][number] | undefined }) {
  if (cell?.text !== '…') return cell?.text;
  return (
    <>
      <span aria-hidden="true">…</span>
      <Hidden>{cell.hint}</Hidden>
    </>
  );
}

type Month = MrrAnswer['results'][number];

/** Monthly recurring revenue and its changes, latest month first. */
export function Recurring() {
  const [view] = useView();
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
      {formatTick(month, 'month')}
      <Words as="small" look="soft">
        {!is_complete && ' so far'}
      </Words>
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
