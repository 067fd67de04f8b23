import { useSite } from '../../api/account.ts';
import { toNumber } from '../../format/numbers.ts';
import { EmptyNote, ErrorNote } from '../../ui/note.tsx';
import { cardMetricsOf } from '../figures/card-metrics.ts';
import { useFigures } from '../figures/use-figures.ts';
import { Foot, NoFoot } from './foot.tsx';
import { measureOf } from './measures.ts';
import styles from './panel.module.css';
import type { PanelProps } from './panel-props.ts';
import { toAsked } from './panel-query.ts';
import { RowTable } from './row-table.tsx';
import { type Rows, toRows } from './rows.ts';
import { Skeleton } from './skeleton.tsx';
import { useFirstRows } from './use-first-rows.ts';

/** The rows of one dimension, each with two bars. */
export function RowsPanel(props: PanelProps & { readonly dimension: string }) {
  const { view, onChange, choice, onChoose, dimension } = props;
  const measure = measureOf(choice.measure);
  const average = useAverage(props);
  const { answer, error, refetch, isOld, unattributed } = useFirstRows(props, dimension);
  if (answer === undefined) {
    if (error === null) return <Skeleton />;
    return <ErrorNote error={error} onRetry={() => void refetch()} />;
  }
  const rows: Rows = toRows(answer, measure, average, unattributed);
  const isEmpty = rows.rows.length === 0 && rows.unattributed === undefined;
  return (
    <>
      <div className={styles.body} data-old={isOld}>
        {isEmpty ? (
          <EmptyNote>{choice.tab.empty}</EmptyNote>
        ) : (
          <RowTable
            {...{ view, onChange, choice, onChoose, dimension, rows }}
            isApproximate={answer.meta.approximate === true}
          />
        )}
      </div>
      {isEmpty ? (
        <NoFoot />
      ) : (
        <Foot
          note={`${rows.rows.length + (rows.unattributed ? 1 : 0)} of ${rows.total}`}
          {...{ view, onChange }}
          asked={toAsked(choice, dimension)}
          tab={choice.tab}
        />
      )}
    </>
  );
}

/** The site's revenue per visitor under the same filters; the cards already fetch it. */
function useAverage({ view }: PanelProps): number | undefined {
  const site = useSite();
  const { data } = useFigures(view, site.shared?.panels.includes('figures') ?? true);
  const at = cardMetricsOf(site).indexOf('revenue_per_visitor');
  const value = data?.totals?.metrics[at];
  return value === undefined || value === null ? undefined : toNumber(value);
}
