import { type Query, useIsFetching } from '@tanstack/react-query';
import { useView, type View } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import { type Asked, isOld, QUERY_PATH, toCompare, useAnswer } from '../../api/query.ts';
import { formatExact, formatMetric } from '../../format/metrics.ts';
import { toNumber } from '../../format/numbers.ts';
import { nameRow } from '../../format/values.ts';
import { Hidden, wordsClass } from '../../ui/layout.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { ChangedFigure, ESTIMATED, totalOf, useFigures } from '../figures/figures.tsx';
import { measureOf, type PanelProps, useRowClick } from './choice.ts';
import styles from './panel.module.css';
import { Foot, PanelFrame, UnattributedLink, UnloadedPanel } from './panel-parts.tsx';
import {
  FIRST_TABS,
  findUnattributed,
  isOfFirstTabs,
  onlyOf,
  type PanelRow,
  type Rows,
  shownSort,
  toAsked,
  toFirstRows,
  toRows,
  type Unattributed,
} from './rows.ts';

/** The rows of one dimension, each with two bars. */
export function RowsPanel(props: PanelProps & { readonly dimension: string }) {
  const { choice, onChoose, dimension } = props;
  const measure = measureOf(choice.measure);
  const average = useAverage();
  const { answer, error, refetch, isOld, unattributed } = useFirstRows(choice, dimension);
  if (answer === undefined) return <UnloadedPanel {...{ error, refetch }} />;
  const rows: Rows = toRows(answer, measure, average, unattributed);
  const isEmpty = rows.rows.length === 0 && rows.unattributed === undefined;
  return (
    <PanelFrame
      {...{ isOld, isEmpty, empty: choice.tab.empty }}
      foot={
        !isEmpty && (
          <Foot
            note={`${rows.rows.length + (rows.unattributed ? 1 : 0)} of ${rows.total}`}
            asked={toAsked(choice, dimension)}
            tab={choice.tab}
          />
        )
      }
    >
      <RowTable
        {...{ choice, onChoose, dimension, rows }}
        isApproximate={answer.meta.approximate === true}
      />
    </PanelFrame>
  );
}

/** The site's revenue per visitor under the same filters; the cards already fetch it. */
function useAverage(): number | undefined {
  const [view] = useView();
  const site = useSite();
  const { data } = useFigures(view, site.shared?.panels.includes('figures') ?? true);
  const { value } = totalOf(data, 'revenue_per_visitor');
  return value === undefined || value === null ? undefined : toNumber(value);
}

/**
 * A panel's first rows, and the payments not credited to any visit: the same for every visit dimension.
 *
 * Shared links show no payments, and a part of the panels only.
 */
function useFirstRows(choice: PanelProps['choice'], dimension: string) {
  const [view] = useView();
  const { currency, shared } = useSite();
  const isOwn = shared === undefined;
  const isTogether = isOwn && isOfFirstTabs(choice, dimension);
  const isPaid = isOwn && choice.measure === 'revenue' && dimension.startsWith('visit:');
  const together = useCompared(view, FIRST_TABS, isPaid);
  const alone = useCompared(view, toFirstRows(toAsked(choice, dimension)), !isTogether);
  const unattributed: Unattributed | undefined =
    isPaid && together.data
      ? findUnattributed(onlyOf('visit:channel', together.data), currency)
      : undefined;
  const shown = isTogether ? together : alone;
  const { data, error, refetch } = shown;
  const answer = isTogether && data ? onlyOf(dimension, data) : data;
  return { answer, error, refetch, isOld: isOld(shown), unattributed };
}

type RowTableProps = PanelProps & {
  readonly dimension: string;
  readonly rows: Rows;
  readonly isApproximate: boolean;
};

/** The room for money in each column, in digits, and in those of a narrow panel. */
const ROOMS = [10.5, 10.5, 9.4] as const; // The last one is bold.
const NARROW_ROOM = 7;

/** Names with bars and figures. Click a row to filter, Alt-click to exclude; headers sort. */
function RowTable(props: RowTableProps) {
  const { choice, onChoose, dimension, rows, isApproximate } = props;
  const measure = measureOf(choice.measure);
  const { onClick, hint } = useRowClick(dimension);
  const rest = rows.unattributed && toRow(rows.unattributed);
  const name = (row: PanelRow) => {
    if (rows.unattributed && row === rest) {
      return <UnattributedLink {...rows.unattributed} className={styles.name} />;
    }
    const { code, text } = nameRow({ ...choice.tab, dimension }, row.value);
    const exact = measure.metrics.map(
      (metric, at) => `${measure.heads[at]}: ${formatExact(metric, row.metrics[at] ?? null)}`,
    );
    return (
      <button
        type="button"
        className={styles.name}
        title={[text, ...exact, hint].join('\n')}
        data-row=""
        onClick={onClick(row.value)}
      >
        {code !== undefined && <span className={styles.code}>{code}</span>}
        {text}
      </button>
    );
  };
  const columns: readonly Column<PanelRow>[] = [
    {
      name: 'name',
      label: <Hidden>{choice.tab.label}</Hidden>,
      cell: name,
      bars: ({ shares: [first = 0, second = 0] }) => ({
        ...{ first, second: measure.bar && second, isMoney: measure.bar === 'money' },
      }),
    },
    ...measure.metrics.map((metric, at) => ({
      name: metric,
      label: (
        <>
          {isApproximate && metric === 'visitors' && <span title={ESTIMATED}>≈ </span>}
          {measure.heads[at]}
        </>
      ),
      ...{ isNumber: true, isSortable: true },
      cell: (row: PanelRow) => {
        if (row === rest && metric !== 'revenue') return '–';
        const before = metric === measure.main ? row.before?.[at] : undefined;
        const value = row.metrics[at] ?? null;
        const [wide, narrow] = [ROOMS[at], NARROW_ROOM].map((room) => ({
          text: formatMetric(metric, value, room),
          figure: <ChangedFigure {...{ metric, value, before, room }} />,
        }));
        if (wide?.text === narrow?.text) return wide?.figure;
        return (
          <>
            <span className={styles.wide}>{wide?.figure}</span>
            <span className={styles.narrow}>{narrow?.figure}</span>
          </>
        );
      },
      attributes: ({ isRich }: PanelRow) => (at < 2 ? {} : isRich ? RICH : PLAIN),
    })),
  ];
  return (
    <Table
      {...{ label: choice.tab.label, columns, look: 'panel' }}
      rows={[...rows.rows, ...(rest ? [rest] : [])]}
      keyOf={(row) => (row === rest ? 'unattributed' : `of ${row.value}`)}
      order={{ by: shownSort(rows, measure, choice.sort), direction: choice.direction }}
      onOrder={({ by, direction }) => onChoose({ ...choice, sort: by, direction })}
    />
  );
}

const PLAIN = { className: wordsClass('soft') };
const RICH = { className: wordsClass('good'), style: { fontWeight: 600 } };

/** Unattributed payments as the last row, which has revenue only. */
function toRow({ revenue, share }: NonNullable<Rows['unattributed']>): PanelRow {
  return { value: '', metrics: [null, revenue, null], shares: [0, share], isRich: false };
}

/**
 * A query's answer, and later with the rows of the compared period: these are not worth waiting for, and asked for once
 * no other figures are on their way.
 */
function useCompared(view: View, asked: Asked, isEnabled: boolean) {
  const plain = useAnswer(view, asked, isEnabled);
  const others = useIsFetching({ queryKey: [useSite().id, QUERY_PATH], predicate: isNotLate });
  const { compare } = toCompare(view);
  const include = { ...asked.include, ...(compare && { compare }) };
  const isCompared = isEnabled && !plain.isPlaceholderData && compare !== undefined;
  const isTurn = isCompared && plain.data !== undefined && !plain.isFetching && others === 0;
  const compared = useAnswer(view, { ...asked, include }, isTurn);
  const isThere = isCompared && compared.data !== undefined && !compared.isPlaceholderData;
  return isThere ? { ...plain, data: compared.data } : plain;
}

/** Only the figures over all rows are compared at once. */
function isNotLate({ queryKey }: Query): boolean {
  const { include } = queryKey[2] as Asked;
  return include?.compare === undefined || include.totals === true;
}
