import { useState } from 'react';
import { Link } from 'wouter';
import { UNATTRIBUTED } from '#domain/row-labels.ts';
import { keptSearch } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import { formatSigned, signOf } from '../../format/amounts.ts';
import { modelOf } from '../../format/models.ts';
import { formatExactMoney, formatMoney, formatPercent } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { Inset, Words, wordsClass } from '../../ui/layout.tsx';
import { DivergingBar } from '../../ui/pictures/diverging-bar.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { FigureText } from '../figures/figure.tsx';
import styles from './comparison.module.css';
import type { ShiftOrder, ShiftRow } from './shifts.ts';
import type { useComparison } from './use-comparison.ts';

const ROWS_AT_FIRST = 15;

type Comparison = ReturnType<typeof useComparison>;

type ShiftTableProps = {
  readonly rows: readonly ShiftRow[];
  readonly total: ShiftRow | undefined;
  readonly comparison: Comparison;
};

/** Each row's revenue under both models, to the cent, and the shift; totals are equal. */
export function ShiftTable({ rows, total, comparison }: ShiftTableProps) {
  const [isFull, setFull] = useState(rows.length <= ROWS_AT_FIRST);
  const { model, versus, compared, order, chooseOrder } = comparison;
  const columns: readonly Column<ShiftRow>[] = [
    {
      ...{ name: 'name', label: compared.label.replace(/s$/, ''), className: styles.first },
      cell: (row) => (row === total ? 'Total' : <RowName {...{ name: row.name, comparison }} />),
    },
    toAmount('left', modelOf(model).label),
    toAmount('right', modelOf(versus).label),
    {
      ...{ name: 'shift', label: 'Shift', isNumber: true, isSortable: true, cell: toShift },
      className: styles.shift,
    },
    {
      ...{ name: 'bar', label: '', isLine: true, className: styles.bar },
      cell: (row) => row !== total && <DivergingBar length={row.length} />,
    },
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
        <Inset className={styles.more}>
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
      <button
        type="button"
        className={wordsClass('named')}
        title={`Show only ${name}`}
        onClick={() => comparison.filterBy(name)}
      >
        {name}
      </button>
    );
  }
  const search = keptSearch({ ...comparison.view, filters: [] });
  const to = `/${domain}/payments${search}${search === '' ? '?' : '&'}state=unattributed`;
  return (
    <Words look="cut">
      {name} ·{' '}
      <Link to={to} className={wordsClass('link')} style={{ textDecoration: 'underline' }}>
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
        <span className={styles.wide}>{formatExactMoney(money)}</span>
        <span className={styles.narrow}>
          <FigureText value={money} />
        </span>
      </>
    ),
  };
}

function toShift({ shift, percent }: ShiftRow) {
  const sign = signOf(shift);
  return (
    <span className={wordsClass(sign > 0 && 'good', sign < 0 && 'bad')}>
      <span className={styles.wide}>{formatSigned(shift)}</span>
      <span className={styles.narrow}>{formatSigned(shift, undefined, formatMoney)}</span>
      <small>
        {sign !== 0 && percent !== null && (
          <>
            {sign > 0 ? '+' : '−'}
            {formatPercent(Math.abs(percent))}
          </>
        )}
      </small>
    </span>
  );
}
