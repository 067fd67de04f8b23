import type { MouseEvent } from 'react';
import type { QueryAnswer } from '#contract/query.ts';
import { UNATTRIBUTED } from '#contract/row-labels.ts';
import type { ChangeView, View } from '../../../address.ts';
import { formatExact, formatMetric, formOf } from '../../../format/metrics.ts';
import { nameRow } from '../names.ts';
import panel from '../panel.module.css';
import type { Tab } from '../tabs.ts';
import { useRowClick } from '../use-row-click.ts';
import { orderBy, withoutAttention } from './columns.ts';
import styles from './details.module.css';
import type { Search } from './use-details.ts';

type DetailsTableProps = {
  readonly tab: Tab;
  readonly view: View;
  readonly onChange: ChangeView;
  readonly search: Search;
  readonly dimension: string;
  readonly results: QueryAnswer['results'];
};

/** All rows with all metrics; headers sort, names filter. */
export function DetailsTable(props: DetailsTableProps) {
  const { tab, search, dimension, results } = props;
  const { order, columns } = search;
  const { onClick } = useRowClick(props, dimension);
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{tab.label}</th>
          {columns.map((metric) => (
            <th
              key={metric}
              scope="col"
              aria-sort={
                order.metric !== metric
                  ? 'none'
                  : order.direction === 'asc'
                    ? 'ascending'
                    : 'descending'
              }
            >
              <button
                type="button"
                onClick={() => search.change({ order: orderBy(order, metric) })}
              >
                {formOf(metric).label}
                {order.metric === metric && (order.direction === 'asc' ? ' ↑' : ' ↓')}
              </button>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {results.map(({ dimensions: [value = ''], metrics }) => (
          <tr key={value}>
            <th scope="row">
              {value === UNATTRIBUTED ? (
                <span className={panel.code}>{value}</span>
              ) : (
                <RowButton {...nameRow({ ...tab, dimension }, value)} onClick={onClick(value)} />
              )}
            </th>
            {columns.map((metric, at) => {
              const shown = withoutAttention(columns, metrics)[at] ?? null;
              return (
                <td key={metric} title={formatExact(metric, shown)}>
                  {formatMetric(metric, shown)}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type RowButtonProps = ReturnType<typeof nameRow> & {
  readonly onClick: (event: MouseEvent) => void;
};

function RowButton({ code, text, onClick }: RowButtonProps) {
  return (
    <button type="button" className={styles.name} title={text} onClick={onClick}>
      {code !== undefined && <span className={panel.code}>{code} </span>}
      {text}
    </button>
  );
}
