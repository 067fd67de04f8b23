import type { CSSProperties } from 'react';
import { formatTick } from '../../format/dates.ts';
import { formatCount } from '../../format/numbers.ts';
import { classes } from '../../ui/classes.ts';
import { Hidden } from '../../ui/hidden.tsx';
import { wordsClass } from '../../ui/layout.tsx';
import { type Column, Table } from '../../ui/table.tsx';
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
  const columns: readonly Column<GridRow>[] = [
    {
      ...{ name: 'cohort', label: unit === 'week' ? 'Week of' : 'Month' },
      cell: ({ cohort }) => (cohort === undefined ? 'All' : formatTick(cohort, unit)),
    },
    {
      ...{ name: 'members', label: members, isNumber: true, className: wordsClass('soft') },
      cell: ({ size }) => formatCount(size),
    },
    ...Array.from({ length: grid.width }, (_, at) => ({
      name: `${at}`,
      label: (
        <>
          <span className={styles.unit}>{unit === 'week' ? 'Week ' : 'Month '}</span>
          {at + from}
        </>
      ),
      isNumber: true,
      cell: ({ cells }: GridRow) => <Shown of={cells[at]} />,
      attributes: ({ cells }: GridRow) => ({
        title: cells[at]?.hint,
        style: { '--heat': cells[at]?.heat } as CSSProperties,
      }),
    })),
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
function Shown({ of: cell }: { readonly of: GridRow['cells'][number] | undefined }) {
  if (cell?.text !== '…') return cell?.text;
  return (
    <>
      <span aria-hidden="true">…</span>
      <Hidden>{cell.hint}</Hidden>
    </>
  );
}
