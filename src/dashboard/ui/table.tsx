import { type ComponentProps, type CSSProperties, type ReactNode, useRef } from 'react';
import { useScrollBox } from './box-size.ts';
import { classes, LengthBar, Stack, wordsClass } from './layout.tsx';
import styles from './table.module.css';

/** A column of a {@link Table}. The first one names its row. */
export type Column<Row> = {
  /** Its name in the order. */
  readonly name: string;
  readonly label: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** The bars below the content. */
  readonly bars?: (row: Row) => TwoBarsProps;
  /** What else a cell has, such as a title. */
  readonly attributes?: (row: Row) => ComponentProps<'td'>;
  readonly className?: string | undefined;
  readonly isNumber?: boolean;
  /** Whether phones hide it. */
  readonly isWide?: boolean;
  /** Whether tablets hide it, too. */
  readonly isWidest?: boolean;
  /** Whether phones show it on a line of its own, where a row is in parts. */
  readonly isLine?: boolean;
  readonly isSortable?: boolean;
  /** Whether its texts may be of any length: they take one line. The cells say them in full on hover. */
  readonly isCut?: boolean;
};

/** The head of a column: its label, or all there is to say of it. */
type ColumnHead<Row> = string | (Omit<Column<Row>, 'cell' | 'name'> & { readonly name?: string });

/** A column of texts; its label names it in the order unless its head says otherwise. */
export function textColumn<Row>(head: ColumnHead<Row>, cell: Column<Row>['cell']): Column<Row> {
  const own = typeof head === 'string' ? { label: head } : head;
  return { name: String(own.label), ...own, cell };
}

/** A column of numbers, one below the other. */
export function numberColumn<Row>(head: ColumnHead<Row>, cell: Column<Row>['cell']): Column<Row> {
  return { ...textColumn(head, cell), isNumber: true };
}

/** The sort column and its direction. */
export type TableOrder = { readonly by: string; readonly direction: 'asc' | 'desc' };

type TableProps<Row> = {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly order?: TableOrder;
  readonly onOrder?: (order: TableOrder) => void;
  /** The last row, below a line. */
  readonly total?: Row | undefined;
  readonly rowAttributes?: (row: Row) => ComponentProps<'tr'>;
  /** What stands for rows if there are none. */
  readonly empty?: string;
  /**
   * - `list` fills a card;
   * - `plain` is among text;
   * - `panel` has rows of one height that are links;
   * - `lines` has narrow rows;
   * - `pane` scrolls in both directions, and keeps its heads and names in view;
   * - `heat` colours its cells by `--heat`, from 0 to 1;
   * - `hidden` is for screen readers.
   */
  readonly look?: 'list' | 'plain' | 'panel' | 'lines' | 'pane' | 'heat' | 'hidden';
  /** How phones show a row: its cells one after the other, or in equal parts below its name. */
  readonly narrow?: 'wrap' | 'parts';
  readonly hasHead?: boolean;
  readonly className?: string | undefined;
};

/** A table: columns as data, in a box that scrolls where it is too narrow. Sortable heads say so. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rows, keyOf, order, onOrder, total, rowAttributes, empty } = props;
  const { look = 'list', narrow, hasHead = true, className } = props;
  const box = useRef<HTMLDivElement>(null);
  const { attributes, beyond } = useScrollBox(box, label);
  const around = look === 'hidden' ? { className: wordsClass('hidden') } : attributes;
  const table = (
    <div ref={box} {...around} className={classes(around.className, styles[`${look}Box`])}>
      <table
        className={classes(styles.table, styles[look], narrow && styles[narrow], className)}
        style={{ '--parts': columns.filter((each) => !each.isLine).length - 1 } as CSSProperties}
        aria-label={label}
      >
        {hasHead && (
          <thead>
            <tr>
              {columns.map((column) => (
                <Head key={column.name} {...{ column, order, onOrder }} />
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} {...rowAttributes?.(row)}>
              <Cells {...{ columns, row }} />
            </tr>
          ))}
          {rows.length === 0 && empty && (
            <tr>
              <td colSpan={columns.length} className={styles.empty}>
                {empty}
              </td>
            </tr>
          )}
        </tbody>
        {total && (
          <tfoot>
            <tr>
              <Cells columns={columns} row={total} />
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  );
  if (look !== 'pane' || beyond === 0) return table;
  const onward = () => box.current?.scrollBy({ left: box.current.clientWidth / 2 });
  return (
    <>
      {table}
      <button type="button" className={styles.beyond} onClick={onward}>
        {beyond} more {beyond === 1 ? 'column' : 'columns'} to the right →
      </button>
    </>
  );
}

type CellsProps<Row> = { readonly columns: readonly Column<Row>[]; readonly row: Row };

function Cells<Row>({ columns, row }: CellsProps<Row>) {
  return columns.map((column, at) => {
    const { className, ...attributes } = column.attributes?.(row) ?? {};
    const content = (
      <>
        {column.cell(row)}
        {column.bars && <TwoBars {...column.bars(row)} />}
      </>
    );
    const all = { ...attributes, className: classes(classOf(column), className) };
    const { name, label } = column;
    return at === 0 ? (
      <th key={name} scope="row" {...(all as ComponentProps<'th'>)}>
        {content}
      </th>
    ) : (
      <td key={name} data-label={typeof label === 'string' ? label : undefined} {...all}>
        {content}
      </td>
    );
  });
}

type HeadProps<Row> = {
  readonly column: Column<Row>;
  readonly order: TableOrder | undefined;
  readonly onOrder: ((order: TableOrder) => void) | undefined;
};

function Head<Row>({ column, order, onOrder }: HeadProps<Row>) {
  const { name, label, isSortable } = column;
  const direction = order?.by === name ? order.direction : undefined;
  const isUp = direction === 'asc';
  // A head without words heads nothing.
  if (label === '') return <td className={classOf(column)} />;
  return (
    <th
      scope="col"
      className={classOf(column)}
      aria-sort={direction && (isUp ? 'ascending' : 'descending')}
    >
      {isSortable && onOrder ? (
        <button
          type="button"
          onClick={() => onOrder({ by: name, direction: direction && !isUp ? 'asc' : 'desc' })}
        >
          {label}
          {direction && <span aria-hidden="true">{isUp ? '\u00a0↑' : '\u00a0↓'}</span>}
        </button>
      ) : (
        label
      )}
    </th>
  );
}

function classOf<Row>(column: Column<Row>): string {
  const { isNumber, isWide, isWidest, isLine, isCut, className } = column;
  const { number, wide, widest, line, cut } = styles;
  const looks = [isNumber && number, isWide && wide, isWidest && widest, isLine && line];
  return classes(...looks, isCut && cut, className);
}

/** Up to two bars, and what the second is of. */
type TwoBarsProps = {
  /** The length of the pale bar, from 0 to 1. */
  readonly first: number;
  /** The length of the one below it, if there is one. */
  readonly second?: number | undefined;
  /** Whether the second is money. */
  readonly isMoney?: boolean;
};

/** Two thin bars below a name, so that a longer second one stands out. */
function TwoBars({ first, second, isMoney = true }: TwoBarsProps) {
  return (
    <Stack as="span" gap={1} style={{ marginTop: 3 }}>
      <LengthBar length={first} colour="var(--blue-bar)" height={3} />
      {second !== undefined && (
        <LengthBar
          length={second}
          colour={isMoney ? 'var(--green-bar)' : 'var(--soft)'}
          height={3}
        />
      )}
    </Stack>
  );
}
