import type { MouseEvent } from 'react';
import type { View } from '../../address/address.ts';
import { formatExact } from '../../format/metrics.ts';
import { nameRow } from '../../format/values.ts';
import { classes } from '../../ui/classes.ts';
import { Hidden } from '../../ui/hidden.tsx';
import { TwoBars } from '../../ui/pictures/two-bars.tsx';
import { SortHead } from '../../ui/table/sort-head.tsx';
import { FigureText } from '../figures/figure.tsx';
import { sortBy } from './choice.ts';
import { type Measure, measureOf } from './measures.ts';
import styles from './panel.module.css';
import type { PanelProps } from './panel-props.ts';
import { type PanelRow, type Rows, shownSort } from './rows.ts';
import { UnattributedLink } from './unattributed-link.tsx';
import { useRowClick } from './use-row-click.ts';

type RowTableProps = PanelProps & {
  readonly dimension: string;
  readonly rows: Rows;
  readonly isApproximate: boolean;
};

/** Names with bars and figures. Click a row to filter, Alt-click to exclude; headers sort. */
export function RowTable(props: RowTableProps) {
  const { view, choice, onChoose, dimension, rows, isApproximate } = props;
  const measure = measureOf(choice.measure);
  const sorted = shownSort(rows, measure, choice.sort);
  const { onClick, hint } = useRowClick(props, dimension);
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col" className={styles.nameHead}>
            <Hidden>{choice.tab.label}</Hidden>
          </th>
          {measure.metrics.map((metric, at) => (
            <SortHead
              key={metric}
              direction={sorted === metric ? choice.direction : undefined}
              onSort={() => onChoose(sortBy(choice, metric))}
            >
              {isApproximate && metric === 'visitors' && <Estimate />}
              {measure.heads[at]}
            </SortHead>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.rows.map((row) => (
          <TableRow
            key={row.value}
            row={row}
            measure={measure}
            name={nameRow({ ...choice.tab, dimension }, row.value)}
            onClick={onClick(row.value)}
            hint={hint}
          />
        ))}
        {rows.unattributed && <UnattributedRow view={view} of={rows.unattributed} />}
      </tbody>
    </table>
  );
}

/** The room for money in each column, in digits. */
const ROOMS = [10.5, 10.5, 10.2] as const;

type TableRowProps = {
  readonly row: PanelRow;
  readonly measure: Measure;
  readonly name: ReturnType<typeof nameRow>;
  readonly onClick: (event: MouseEvent) => void;
  readonly hint: string;
};

function TableRow({ row, measure, name, onClick, hint }: TableRowProps) {
  const [visitors = 0, second = 0] = row.shares;
  const exact = measure.metrics.map(
    (metric, at) => `${measure.heads[at]}: ${formatExact(metric, row.metrics[at] ?? null)}`,
  );
  return (
    <tr className={styles.row}>
      <th scope="row">
        <button
          type="button"
          className={styles.name}
          title={[name.text, ...exact, hint].join('\n')}
          data-row=""
          onClick={onClick}
        >
          {name.code !== undefined && <span className={styles.code}>{name.code}</span>}
          {name.text}
        </button>
        <TwoBars
          first={visitors}
          second={measure.bar && second}
          isMoney={measure.bar === 'money'}
        />
      </th>
      {measure.metrics.map((metric, at) => (
        <td
          key={metric}
          className={classes(at === 2 && styles.third, at === 2 && row.isRich && styles.rich)}
        >
          <FigureText metric={metric} value={row.metrics[at] ?? null} room={ROOMS[at]} />
        </td>
      ))}
    </tr>
  );
}

function UnattributedRow(props: {
  readonly view: View;
  readonly of: NonNullable<Rows['unattributed']>;
}) {
  const { revenue, payments, share } = props.of;
  return (
    <tr className={styles.row}>
      <th scope="row">
        <UnattributedLink view={props.view} payments={payments} className={styles.name} />
        <TwoBars first={0} second={share} />
      </th>
      <td>–</td>
      <td>
        <FigureText value={revenue} />
      </td>
      <td className={styles.third}>–</td>
    </tr>
  );
}

function Estimate() {
  return (
    <span title="Estimated within 0.3 %, because the period has over a million visits.">≈ </span>
  );
}
