import type { QueryAnswer } from '#contract/query.ts';
import { UNATTRIBUTED } from '#domain/row-labels.ts';
import type { ChangeView, View } from '../../../address/address.ts';
import { useSite } from '../../../api/account.ts';
import { formOf } from '../../../format/metrics.ts';
import { toNumber } from '../../../format/numbers.ts';
import { nameRow } from '../../../format/values.ts';
import { type Column, Table } from '../../../ui/table.tsx';
import { ChangeMark } from '../../figures/change-mark.tsx';
import { FigureText } from '../../figures/figure.tsx';
import panel from '../panel.module.css';
import type { Tab } from '../tabs.ts';
import { UnattributedLink } from '../unattributed-link.tsx';
import { useRowClick } from '../use-row-click.ts';
import { unattributedLast, withoutAttention, withoutVisits } from './columns.ts';
import styles from './details.module.css';
import type { Search } from './use-details.ts';

type DetailsTableProps = {
  readonly tab: Tab;
  readonly view: View;
  readonly onChange: ChangeView;
  readonly search: Search;
  readonly dimension: string;
  readonly results: QueryAnswer['results'];
  /** The metrics of the compared period, by the row's value. */
  readonly before: ReadonlyMap<string, Row['metrics']>;
  /** All rows together, if they add up. */
  readonly total: Row | undefined;
};

type Row = QueryAnswer['results'][number];

/** All rows with all metrics; headers sort, names filter. */
export function DetailsTable(props: DetailsTableProps) {
  const { tab, view, search, dimension, results } = props;
  const { metric: by, direction } = search.order;
  const { onClick } = useRowClick(props, dimension);
  const { shared } = useSite();
  const name = (row: Row) => {
    if (row === props.total) return 'Total';
    const {
      dimensions: [value = ''],
      metrics,
    } = row;
    if (value !== UNATTRIBUTED) {
      const { code, text } = nameRow({ ...tab, dimension }, value);
      return (
        <button type="button" className={styles.name} title={text} onClick={onClick(value)}>
          {code !== undefined && <span className={panel.code}>{code} </span>}
          {text}
        </button>
      );
    }
    // Shared links show no payments.
    if (shared !== undefined) return <span className={panel.code}>{UNATTRIBUTED}</span>;
    const payments = toNumber(metrics[search.columns.indexOf('payments')] ?? null);
    return <UnattributedLink {...{ view, payments }} className={styles.name} />;
  };
  const figure = (row: Row, at: number) => {
    const { dimensions, metrics, comparison } = row;
    const before =
      row === props.total ? comparison?.metrics : props.before.get(dimensions[0] ?? '');
    const isRest = dimensions[0] === UNATTRIBUTED;
    const known = (isRest ? withoutVisits : withoutAttention)(search.columns, metrics)[at] ?? null;
    return isRest && known === null ? (
      '–'
    ) : (
      <>
        <FigureText metric={search.columns[at]} value={known} />
        {search.columns[at] && (
          <ChangeMark metric={search.columns[at]} value={known} before={before?.[at]} />
        )}
      </>
    );
  };
  const columns: readonly Column<Row>[] = [
    { name: 'name', label: tab.label, cell: name },
    ...search.columns.map((metric, at) => ({
      ...{ name: metric, label: formOf(metric).label, isNumber: true, isSortable: true },
      cell: (row: Row) => figure(row, at),
    })),
  ];
  return (
    <Table
      {...{ label: tab.label, columns, rows: unattributedLast(results), look: 'pane' }}
      total={props.total}
      keyOf={({ dimensions }) => dimensions[0] ?? ''}
      order={{ by, direction }}
      onOrder={(order) => search.change({ order: writeOrder(order) })}
    />
  );
}

/** An order as the URL has it. */
function writeOrder({ by, direction }: { by: string; direction: 'asc' | 'desc' }): string {
  return direction === 'asc' ? `${by},asc` : by;
}
