import type { QueryAnswer } from '#contract/query.ts';
import { UNATTRIBUTED } from '#domain/row-labels.ts';
import { useView } from '../../../address/address.ts';
import { useSite } from '../../../api/account.ts';
import { isOld } from '../../../api/query.ts';
import { PROPERTY_NAMES } from '../../../format/dimensions.ts';
import { formOf, type ShownMetric } from '../../../format/metrics.ts';
import { formatWhole, toNumber } from '../../../format/numbers.ts';
import { nameRow } from '../../../format/values.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Inline, Stack, Words, wordsClass } from '../../../ui/layout.tsx';
import { Loaded, ShowMore } from '../../../ui/loaded.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { type Column, numberColumn, Table, textColumn } from '../../../ui/table.tsx';
import { ChangedFigure } from '../../figures/figures.tsx';
import { useProperty, useRowClick } from '../choice.ts';
import panel from '../panel.module.css';
import { CsvButton, UnattributedLink } from '../panel-parts.tsx';
import { dimensionOf, type Tab } from '../tabs.ts';
import {
  detailsOf,
  type Search,
  unattributedLast,
  useCompared,
  useRows,
  useSearch,
  useTotal,
  withoutAttention,
  withoutVisits,
} from './use-details.ts';

type DetailsProps = { readonly tab: Tab };

/** A panel in full: all rows with all metrics, to search, sort, page through and save. */
export function DetailsDialog({ tab }: DetailsProps) {
  const [view] = useView();
  const [property] = useProperty();
  const dimension = tab.kind === 'bots' ? 'visit:bot' : dimensionOf(tab, property);
  const search = useSearch(view, dimension);
  const isOfOne = tab.kind === 'property' && property !== '';
  const title = isOfOne ? `${tab.label}: ${property}` : tab.label;
  return (
    <Dialog title={title} isOpen isWide onClose={search.close}>
      <Details key={dimension} {...{ tab, search, dimension }} />
    </Dialog>
  );
}

type Props = DetailsProps & { readonly search: Search; readonly dimension: string };

function Details({ tab, search, dimension }: Props) {
  const [view] = useView();
  const asked = detailsOf(tab, dimension, search);
  const rows = useRows(view, asked);
  const results = rows.data?.pages.flatMap((page) => page.results) ?? [];
  const total = rows.data?.pages[0]?.meta.total_rows;
  const whole = useTotal(view, asked);
  const before = useCompared(view, asked, results);
  return (
    <Stack gap={12} className={panel.details}>
      <Inline gap={12} isSpread style={{ width: '100%' }}>
        {dimension !== PROPERTY_NAMES && (
          <SearchField
            label="Search these rows"
            placeholder="Search"
            text={search.text}
            onSearch={(text) => search.change({ search: text })}
          />
        )}
        <Words look="soft" role="status">
          {rows.data && `${formatWhole(results.length)} of ${formatWhole(total ?? results.length)}`}
        </Words>
        <CsvButton {...{ tab, asked }} className={buttonClass(undefined, 'small')} />
      </Inline>
      <Loaded
        {...{ of: rows, height: 420, isOld: isOld(rows) }}
        isEmpty={() => results.length === 0}
        empty={search.text === '' ? tab.empty : `Nothing here contains “${search.text}”.`}
      >
        {() => <DetailsTable {...{ tab, search, dimension, results, before, total: whole }} />}
      </Loaded>
      <ShowMore of={rows} />
    </Stack>
  );
}

type DetailsTableProps = {
  readonly tab: Tab;
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
function DetailsTable(props: DetailsTableProps) {
  const { tab, search, dimension, results } = props;
  const { metric: by, direction } = search.order;
  const { onClick } = useRowClick(dimension);
  const { shared } = useSite();
  const name = (row: Row) => {
    if (row === props.total) return 'Total';
    const [value = ''] = row.dimensions;
    if (value !== UNATTRIBUTED) {
      const { code, text } = nameRow({ ...tab, dimension }, value);
      return (
        <button type="button" className={wordsClass('named')} title={text} onClick={onClick(value)}>
          {code !== undefined && <span className={panel.code}>{code} </span>}
          {text}
        </button>
      );
    }
    // Shared links show no payments.
    if (shared !== undefined) return <span className={panel.code}>{UNATTRIBUTED}</span>;
    const payments = toNumber(row.metrics[search.columns.indexOf('payments')] ?? null);
    return <UnattributedLink payments={payments} className={wordsClass('named')} />;
  };
  const figure = (metric: ShownMetric, row: Row, at: number) => {
    const { dimensions, metrics, comparison } = row;
    const before =
      row === props.total ? comparison?.metrics : props.before.get(dimensions[0] ?? '');
    const isRest = dimensions[0] === UNATTRIBUTED;
    const known = (isRest ? withoutVisits : withoutAttention)(search.columns, metrics)[at] ?? null;
    if (isRest && known === null) return '–';
    return <ChangedFigure {...{ metric, value: known, before: before?.[at] }} />;
  };
  const columns: readonly Column<Row>[] = [
    textColumn({ name: 'name', label: tab.label }, name),
    ...search.columns.map((metric, at) =>
      numberColumn({ name: metric, label: formOf(metric).label, isSortable: true }, (row: Row) =>
        figure(metric, row, at),
      ),
    ),
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
