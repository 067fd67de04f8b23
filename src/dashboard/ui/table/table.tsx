import { type ReactNode, useRef } from 'react';
import { classes } from '../classes.ts';
import { useScrollBox } from '../use-scroll-box.ts';
import { SortHead } from './sort-head.tsx';
import styles from './table.module.css';

/** A column of a {@link Table}. */
export type Column<Name extends string> = {
  readonly name: Name;
  readonly label: ReactNode;
  readonly isNumber?: boolean;
  /** Whether phones hide it. */
  readonly isWide?: boolean;
  /** Whether tablets hide it, too. */
  readonly isWidest?: boolean;
  readonly isSortable?: boolean;
  /** Whether its texts may be of any length: they take one line. The cells say them in full on hover. */
  readonly isCut?: boolean;
};

/** The sort column and its direction. */
export type TableOrder = { readonly by: string; readonly direction: 'asc' | 'desc' };

type TableProps<Name extends string, Row> = {
  readonly label: string;
  readonly columns: readonly Column<Name>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly cell: (row: Row, column: Name) => ReactNode;
  readonly order?: TableOrder;
  readonly onOrder?: (order: TableOrder) => void;
};

/** A table; sortable headers say so. */
export function Table<Name extends string, Row>(props: TableProps<Name, Row>) {
  const { label, columns, rows, keyOf, cell } = props;
  const box = useRef<HTMLDivElement>(null);
  return (
    <div ref={box} className={useScrollBox(box)}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.name} column={column} {...props} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <td key={column.name} className={classOf(column)}>
                  {cell(row, column.name)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type HeadProps = {
  readonly column: Column<string>;
  readonly order?: TableOrder;
  readonly onOrder?: (order: TableOrder) => void;
};

function Head({ column, order, onOrder }: HeadProps) {
  const { name, label, isSortable } = column;
  if (!isSortable || onOrder === undefined) {
    return (
      <th scope="col" className={classOf(column)}>
        {label}
      </th>
    );
  }
  const isHere = order?.by === name;
  const isUp = isHere && order.direction === 'asc';
  const sort = () => onOrder({ by: name, direction: isHere && !isUp ? 'asc' : 'desc' });
  return (
    <SortHead
      direction={isHere ? order.direction : undefined}
      onSort={sort}
      className={classOf(column)}
      buttonClass={styles.sort}
    >
      {label}
    </SortHead>
  );
}

function classOf({ isNumber, isWide, isWidest, isCut }: Column<string>): string {
  const { number, wide, widest, cut } = styles;
  return classes(isNumber && number, isWide && wide, isWidest && widest, isCut && cut);
}
