import { formatExact } from '../../format/metrics.ts';
import { nameRow } from '../../format/values.ts';
import { classes } from '../../ui/classes.ts';
import { Hidden } from '../../ui/hidden.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { ChangeMark } from '../figures/change-mark.tsx';
import { FigureText } from '../figures/figure.tsx';
import { measureOf } from './choice.ts';
import styles from './panel.module.css';
import { type PanelRow, type Rows, shownSort } from './rows.ts';
import { UnattributedLink } from './unattributed-link.tsx';
import type { PanelProps } from './use-choice.ts';
import { useRowClick } from './use-row-click.ts';

type RowTableProps = PanelProps & {
  readonly dimension: string;
  readonly rows: Rows;
  readonly isApproximate: boolean;
};

/** The room for money in each column, in digits. */
const ROOMS = [10.5, 10.5, 10.2] as const;

/** Names with bars and figures. Click a row to filter, Alt-click to exclude; headers sort. */
export function RowTable(props: RowTableProps) {
  const { view, choice, onChoose, dimension, rows, isApproximate } = props;
  const measure = measureOf(choice.measure);
  const { onClick, hint } = useRowClick(props, dimension);
  const rest = rows.unattributed && toRow(rows.unattributed);
  const name = (row: PanelRow) => {
    if (rows.unattributed && row === rest) {
      return <UnattributedLink {...{ view, ...rows.unattributed }} className={styles.name} />;
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
          {isApproximate && metric === 'visitors' && <Estimate />}
          {measure.heads[at]}
        </>
      ),
      ...{ isNumber: true, isSortable: true, isWide: at === 2 },
      cell: (row: PanelRow) =>
        row === rest && metric !== 'revenue' ? (
          '–'
        ) : (
          <>
            <FigureText metric={metric} value={row.metrics[at] ?? null} room={ROOMS[at]} />
            {metric === measure.main && (
              <ChangeMark
                {...{ metric, value: row.metrics[at] ?? null, before: row.before?.[at] }}
              />
            )}
          </>
        ),
      attributes: ({ isRich }: PanelRow) => ({
        className: classes(at === 2 && styles.third, at === 2 && isRich && styles.rich),
      }),
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

/** Unattributed payments as the last row, which has revenue only. */
function toRow({ revenue, share }: NonNullable<Rows['unattributed']>): PanelRow {
  return { value: '', metrics: [null, revenue, null], shares: [0, share], isRich: false };
}

function Estimate() {
  return (
    <span title="Estimated within 0.3 %, because the period has over a million visits.">≈ </span>
  );
}
