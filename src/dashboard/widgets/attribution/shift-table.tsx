import { useState } from 'react';
import { Link } from 'wouter';
import type { Money } from '#contract/query-fields.ts';
import { UNATTRIBUTED } from '#domain/row-labels.ts';
import { keptSearch } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import { formatSigned, signOf } from '../../format/amounts.ts';
import { modelOf } from '../../format/models.ts';
import { formatExactMoney, formatMoney, formatPercent } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { DivergingBar } from '../../ui/pictures/diverging-bar.tsx';
import { SortHead } from '../../ui/table/sort-head.tsx';
import { FigureText } from '../figures/figure.tsx';
import styles from './comparison.module.css';
import { SHIFT_ORDERS, type ShiftRow } from './shifts.ts';
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
  const labels = {
    left: modelOf(model).label,
    right: modelOf(versus).label,
    shift: 'Shift',
  } as const;
  return (
    <>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{compared.label.replace(/s$/, '')}</th>
            {SHIFT_ORDERS.map((each) => (
              <SortHead
                key={each}
                direction={each === order ? 'desc' : undefined}
                onSort={() => chooseOrder(each)}
              >
                {labels[each]}
              </SortHead>
            ))}
            <td />
          </tr>
        </thead>
        <tbody>
          {(isFull ? rows : rows.slice(0, ROWS_AT_FIRST)).map((row) => (
            <tr key={row.name}>
              <th scope="row">
                <RowName name={row.name} comparison={comparison} />
              </th>
              <Amounts row={row} />
              <td className={styles.bar}>
                <DivergingBar length={row.length} />
              </td>
            </tr>
          ))}
        </tbody>
        {total && (
          <tfoot>
            <tr>
              <th scope="row">Total</th>
              <Amounts row={total} />
              <td className={styles.bar} />
            </tr>
          </tfoot>
        )}
      </table>
      {!isFull && (
        <div className={styles.more}>
          <Button size="small" onClick={() => setFull(true)}>
            Show all {rows.length}
          </Button>
        </div>
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
        className={styles.name}
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
    <span className={styles.name}>
      {name} ·{' '}
      <Link to={to} className={styles.why}>
        why?
      </Link>
    </span>
  );
}

/** To the cent; on phones in a form that fits. */
function Amount({ money }: { readonly money: Money }) {
  return (
    <>
      <span className={styles.wide}>{formatExactMoney(money)}</span>
      <span className={styles.narrow}>
        <FigureText value={money} />
      </span>
    </>
  );
}

function Amounts({ row: { left, right, shift, percent } }: { readonly row: ShiftRow }) {
  const sign = signOf(shift);
  return (
    <>
      <td>
        <Amount money={left} />
      </td>
      <td>
        <Amount money={right} />
      </td>
      <td className={classes(styles.shift, sign > 0 && styles.gain, sign < 0 && styles.less)}>
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
      </td>
    </>
  );
}
