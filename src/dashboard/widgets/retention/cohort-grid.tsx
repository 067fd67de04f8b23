import { type CSSProperties, useRef } from 'react';
import { formatTick } from '../../format/dates.ts';
import { formatCount } from '../../format/numbers.ts';
import { Hidden } from '../../ui/hidden.tsx';
import { useScrollBox } from '../../ui/use-scroll-box.ts';
import type { Grid, GridRow } from './grid.ts';
import styles from './retention.module.css';
import type { CohortUnit } from './retention-view.ts';

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
export function CohortGrid({ label, grid, unit, members, from, isMoney }: CohortGridProps) {
  const box = useRef<HTMLElement>(null);
  const columns = Array.from({ length: grid.width }, (_, at) => at + from);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards must be able to scroll it.
    <section ref={box} className={useScrollBox(box)} aria-label={label} tabIndex={0}>
      <table className={`${styles.grid} ${isMoney ? styles.money : ''}`}>
        <thead>
          <tr>
            <th scope="col">{unit === 'week' ? 'Week of' : 'Month'}</th>
            <th scope="col">{members}</th>
            {columns.map((column) => (
              <th key={column} scope="col">
                <span className={styles.unit}>{unit === 'week' ? 'Week ' : 'Month '}</span>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {grid.rows.map((row) => (
            <Row key={row.cohort ?? ''} row={row} unit={unit} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Three dots say nothing when read aloud. */
function Unended({ hint }: { readonly hint: string }) {
  return (
    <>
      <span aria-hidden="true">…</span>
      <Hidden>{hint}</Hidden>
    </>
  );
}

function Row({ row, unit }: { readonly row: GridRow; readonly unit: CohortUnit }) {
  const { cohort, size, cells } = row;
  return (
    <tr className={cohort === undefined ? styles.all : undefined}>
      <th scope="row">{cohort === undefined ? 'All' : formatTick(cohort, unit)}</th>
      <td className={styles.size}>{formatCount(size)}</td>
      {cells.map(({ text, heat, hint }, at) => (
        // Cells are identified only by their place.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above.
        <td key={at} title={hint} style={{ '--heat': heat } as CSSProperties}>
          {text === '…' ? <Unended hint={hint} /> : text}
        </td>
      ))}
    </tr>
  );
}
