import type { MouseEvent } from 'react';
import type { QueryAnswer } from '#contract/query.ts';
import { UNATTRIBUTED } from '#domain/row-labels.ts';
import type { ChangeView, View } from '../../../address/address.ts';
import { useSite } from '../../../api/account.ts';
import { formOf } from '../../../format/metrics.ts';
import { toNumber } from '../../../format/numbers.ts';
import { nameRow } from '../../../format/values.ts';
import { SortHead } from '../../../ui/table/sort-head.tsx';
import { FigureText } from '../../figures/figure.tsx';
import panel from '../panel.module.css';
import type { Tab } from '../tabs.ts';
import { UnattributedLink } from '../unattributed-link.tsx';
import { useRowClick } from '../use-row-click.ts';
import { orderBy, unattributedLast, withoutAttention, withoutVisits } from './columns.ts';
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
  const { tab, view, search, dimension, results } = props;
  const { order, columns } = search;
  const { onClick } = useRowClick(props, dimension);
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{tab.label}</th>
          {columns.map((metric) => (
            <SortHead
              key={metric}
              direction={order.metric === metric ? order.direction : undefined}
              onSort={() => search.change({ order: orderBy(order, metric) })}
            >
              {formOf(metric).label}
            </SortHead>
          ))}
        </tr>
      </thead>
      <tbody>
        {unattributedLast(results).map(({ dimensions: [value = ''], metrics }) => {
          const isRest = value === UNATTRIBUTED;
          const shown = isRest
            ? withoutVisits(columns, metrics)
            : withoutAttention(columns, metrics);
          return (
            <tr key={value}>
              <th scope="row">
                {isRest ? (
                  <Unattributed
                    view={view}
                    payments={toNumber(metrics[columns.indexOf('payments')] ?? null)}
                  />
                ) : (
                  <RowButton {...nameRow({ ...tab, dimension }, value)} onClick={onClick(value)} />
                )}
              </th>
              {columns.map((metric, at) => {
                const value = shown[at] ?? null;
                const isNone = isRest && value === null;
                return <td key={metric}>{isNone ? '–' : <FigureText {...{ metric, value }} />}</td>;
              })}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Shared links show no payments. */
function Unattributed({ view, payments }: { readonly view: View; readonly payments: number }) {
  const { shared } = useSite();
  if (shared !== undefined) return <span className={panel.code}>{UNATTRIBUTED}</span>;
  return <UnattributedLink view={view} payments={payments} className={styles.why} />;
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
