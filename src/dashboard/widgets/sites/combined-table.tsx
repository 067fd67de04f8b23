import { type ReactNode, useState } from 'react';
import type { QueryAnswer } from '#contract/query.ts';
import { useView } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import { isOld, toCompare, useAnswer } from '../../api/query.ts';
import { formOf, type ShownMetric } from '../../format/metrics.ts';
import { toNumber } from '../../format/numbers.ts';
import { nameValue } from '../../format/values.ts';
import { Button } from '../../ui/button.tsx';
import { Card, CardHead, Inset } from '../../ui/layout.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { type Column, Table, type TableOrder } from '../../ui/table.tsx';
import { ChangeMark, FigureText } from '../figures/figures.tsx';

type Row = QueryAnswer['results'][number];

type CombinedTableProps = {
  readonly title: string;
  readonly dimension: string;
  /** How a row is named, if not as everywhere. */
  readonly nameOf?: (value: string) => ReactNode;
};

const WITH_MONEY = ['visitors', 'revenue', 'revenue_per_visitor'] as const;
const WITHOUT_MONEY = ['visitors', 'visits', 'pageviews'] as const;
/** Rows at first. */
const ROWS = 10;

/** The rows of several sites, with their changes; those of sites with a total. */
export function CombinedTable({ title, dimension, nameOf }: CombinedTableProps) {
  const [view] = useView();
  const metrics: readonly ShownMetric[] = useSite().has_payments ? WITH_MONEY : WITHOUT_MONEY;
  const [order, setOrder] = useState<TableOrder>({ by: metrics[1] ?? '', direction: 'desc' });
  const [isWhole, setWhole] = useState(dimension === 'site');
  const answer = useAnswer(view, {
    ...{ metrics: [...metrics], dimensions: [dimension] },
    include: { ...toCompare(view), totals: dimension === 'site' },
  });
  const name = ({ dimensions: [value] }: Row) =>
    value === undefined ? 'Total' : (nameOf?.(value) ?? nameValue(dimension, value));
  const columns: readonly Column<Row>[] = [
    { name: 'name', label: title.replace(/s$/, ''), cell: name, isCut: true },
    ...metrics.map((metric, at) => toColumn(metric, at)),
  ];
  return (
    <Card aria-label={title}>
      <CardHead>
        <h2>{title}</h2>
      </CardHead>
      <Loaded
        of={answer}
        isOld={isOld(answer)}
        isInset
        height={200}
        isEmpty={({ results }) => results.length === 0}
        empty={<p>Nobody came in this period.</p>}
      >
        {({ results, totals }) => (
          <>
            <Table
              {...{ label: title, columns, order, onOrder: setOrder, narrow: 'parts' }}
              rows={inOrder(results, metrics, order).slice(0, isWhole ? undefined : ROWS)}
              keyOf={({ dimensions: [value = ''] }) => value}
              total={results.length > 1 ? totals : undefined}
            />
            {!isWhole && results.length > ROWS && (
              <Inset style={{ paddingBlock: '8px 16px' }}>
                <Button onClick={() => setWhole(true)}>Show all {results.length}</Button>
              </Inset>
            )}
          </>
        )}
      </Loaded>
    </Card>
  );
}

function toColumn(metric: ShownMetric, at: number): Column<Row> {
  return {
    ...{ name: metric, label: formOf(metric).label, isNumber: true, isSortable: true },
    cell: ({ metrics, comparison }) => (
      <>
        <FigureText metric={metric} value={metrics[at] ?? null} />
        <ChangeMark metric={metric} value={metrics[at] ?? null} before={comparison?.metrics[at]} />
      </>
    ),
  };
}

function inOrder(rows: readonly Row[], metrics: readonly string[], order: TableOrder): Row[] {
  const at = metrics.indexOf(order.by);
  const sign = order.direction === 'asc' ? 1 : -1;
  const sizeOf = ({ metrics }: Row) => toNumber(metrics[at] ?? null);
  return rows.toSorted((one, other) => sign * (sizeOf(one) - sizeOf(other)));
}
