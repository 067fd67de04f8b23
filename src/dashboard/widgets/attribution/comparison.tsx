import { useState } from 'react';
import { Link } from 'wouter';
import { UNATTRIBUTED } from '#domain/row-labels.ts';
import { keptSearch } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import { isOld, useAnswer } from '../../api/query.ts';
import { modelOf } from '../../format/models.ts';
import {
  formatExactMoney,
  formatMoney,
  formatPercent,
  formatSigned,
  signOf,
} from '../../format/numbers.ts';
import { Button, NameButton, Tabs } from '../../ui/button.tsx';
import { Card, CardHead, Inline, Inset, LengthBar, Words, wordsClass } from '../../ui/layout.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { type Column, numberColumn, Table, textColumn } from '../../ui/table.tsx';
import { ModelChoice } from '../bar/bar.tsx';
import { FigureText } from '../figures/figures.tsx';
import styles from './comparison.module.css';
import { COMPARED, type ShiftOrder, type ShiftRow, toShiftRows, useComparison } from './shifts.ts';

/** The rows compared; campaigns beyond them have hardly any revenue. */
const ROWS_MAX = 1_000;

/** Two attribution models side by side: what each source gets from both, and how it shifts. */
export function ModelComparison() {
  const comparison = useComparison();
  const { view, model, versus, compared, order } = comparison;
  const asked = { metrics: ['revenue'], attribution: { models: [model, versus] } };
  const rows = useAnswer(view, {
    ...asked,
    dimensions: [compared.dimension],
    pagination: { limit: ROWS_MAX },
  });
  const total = useAnswer(view, asked);
  const of = {
    data: total.data && rows.data,
    error: rows.error ?? total.error,
    refetch: () => Promise.all([rows.refetch(), total.refetch()]),
  };
  return (
    <Card
      aria-label="Two models side by side"
      aria-busy={of.data === undefined && of.error === null}
    >
      <CardHead>
        <Tabs
          name="Compare by"
          value={compared.panel}
          choices={COMPARED.map(({ panel, label }) => ({ value: panel, label }))}
          onChoose={comparison.choosePanel}
        />
        <Inline as="p" className={wordsClass('soft')}>
          <ModelChoice name="First model" value={model} onChoose={comparison.chooseModel} />
          <span>against</span>
          <ModelChoice name="Second model" value={versus} onChoose={comparison.chooseVersus} />
        </Inline>
      </CardHead>
      <Loaded
        {...{ of, height: 376, isInset: true, isOld: isOld(rows) }}
        empty="No payments in this period. Choose a longer one, or report payments to see what earned them."
      >
        {({ results }) => (
          <ShiftTable
            key={compared.panel}
            rows={toShiftRows(results, order)}
            total={toShiftRows(total.data?.results ?? [])[0]}
            comparison={comparison}
          />
        )}
      </Loaded>
    </Card>
  );
}

const ROWS_AT_FIRST = 15;

type Comparison = ReturnType<typeof useComparison>;

type ShiftTableProps = {
  readonly rows: readonly ShiftRow[];
  readonly total: ShiftRow | undefined;
  readonly comparison: Comparison;
};

/** Each row's revenue under both models, to the cent, and the shift; totals are equal. */
function ShiftTable({ rows, total, comparison }: ShiftTableProps) {
  const [isFull, setFull] = useState(rows.length <= ROWS_AT_FIRST);
  const { model, versus, compared, order, chooseOrder } = comparison;
  const columns: readonly Column<ShiftRow>[] = [
    textColumn(
      { name: 'name', label: compared.label.replace(/s$/, ''), className: styles.first },
      (row) => (row === total ? 'Total' : <RowName {...{ name: row.name, comparison }} />),
    ),
    toAmount('left', modelOf(model).label),
    toAmount('right', modelOf(versus).label),
    numberColumn(
      { name: 'shift', label: 'Shift', isSortable: true, className: styles.shift },
      toShift,
    ),
    textColumn(
      { name: 'bar', label: '', isLine: true, className: styles.bar },
      (row) => row !== total && <DivergingBar length={row.length} />,
    ),
  ];
  return (
    <>
      <Table
        {...{ label: 'Revenue by two models', columns, total, narrow: 'parts' }}
        rows={isFull ? rows : rows.slice(0, ROWS_AT_FIRST)}
        keyOf={({ name }) => name}
        order={{ by: order, direction: 'desc' }}
        onOrder={({ by }) => chooseOrder(by as ShiftOrder)}
        className={styles.shifts}
      />
      {!isFull && (
        <Inset style={{ paddingBlock: '8px 16px' }}>
          <Button size="small" onClick={() => setFull(true)}>
            Show all {rows.length}
          </Button>
        </Inset>
      )}
    </>
  );
}

function RowName({ name, comparison }: { readonly name: string; readonly comparison: Comparison }) {
  const { domain } = useSite();
  if (name !== UNATTRIBUTED) {
    return (
      <NameButton title={`Show only ${name}`} onClick={() => comparison.filterBy(name)}>
        {name}
      </NameButton>
    );
  }
  const search = keptSearch({ ...comparison.view, filters: [] }, { state: 'unattributed' });
  return (
    <Words look="cut">
      {name} ·{' '}
      <Link
        to={`/${domain}/payments${search}`}
        className={wordsClass('link')}
        style={{ textDecoration: 'underline' }}
      >
        why?
      </Link>
    </Words>
  );
}

/** To the cent; on phones in a form that fits. */
function toAmount(name: 'left' | 'right', label: string): Column<ShiftRow> {
  return {
    ...{ name, label, isNumber: true, isSortable: true },
    cell: ({ [name]: money }) => (
      <>
        <Words look="wide">{formatExactMoney(money)}</Words>
        <Words look="narrow">
          <FigureText value={money} />
        </Words>
      </>
    ),
  };
}

function toShift({ shift, percent }: ShiftRow) {
  const sign = signOf(shift);
  return (
    <Words look={[sign > 0 && 'good', sign < 0 && 'bad']}>
      <Words look="wide">{formatSigned(shift)}</Words>
      <Words look="narrow">{formatSigned(shift, formatMoney)}</Words>
      <Words as="small" look={['soft', 'tiny']}>
        {sign !== 0 && percent !== null && (
          <>
            {sign > 0 ? '+' : '−'}
            {formatPercent(Math.abs(percent))}
          </>
        )}
      </Words>
    </Words>
  );
}

/** A thin bar from the middle: to the right for gains, left for losses; `length` from -1 to 1. */
function DivergingBar({ length }: { readonly length: number }) {
  const half = Math.abs(length) / 2;
  return (
    <div className={styles.track}>
      <LengthBar
        {...{ length: half, height: 6, colour: length < 0 ? 'var(--red-bar)' : 'var(--green-bar)' }}
        style={{ marginLeft: `${(length < 0 ? 0.5 - half : 0.5) * 100}%` }}
      />
    </div>
  );
}
