import type { View } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import { type Asked, isOld, toCompare, useAnswer } from '../../api/query.ts';
import { toNumber } from '../../format/numbers.ts';
import { EmptyNote } from '../../ui/note.tsx';
import { cardMetricsOf } from '../figures/card-metrics.ts';
import { useFigures } from '../figures/use-figures.ts';
import { measureOf } from './choice.ts';
import { Foot, NoFoot } from './foot.tsx';
import styles from './panel.module.css';
import { FIRST_TABS, isOfFirstTabs, onlyOf, toAsked, toFirstRows } from './panel-query.ts';
import { RowTable } from './row-table.tsx';
import { findUnattributed, type Rows, toRows, type Unattributed } from './rows.ts';
import { UnloadedPanel } from './skeleton.tsx';
import type { PanelProps } from './use-choice.ts';

/** The rows of one dimension, each with two bars. */
export function RowsPanel(props: PanelProps & { readonly dimension: string }) {
  const { view, onChange, choice, onChoose, dimension } = props;
  const measure = measureOf(choice.measure);
  const average = useAverage(props);
  const { answer, error, refetch, isOld, unattributed } = useFirstRows(props, dimension);
  if (answer === undefined) return <UnloadedPanel {...{ error, refetch }} />;
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
  const at = cardMetricsOf(site, view).indexOf('revenue_per_visitor');
  const value = data?.totals?.metrics[at];
  return value === undefined || value === null ? undefined : toNumber(value);
}

/**
 * A panel's first rows, and the payments not credited to any visit: the same for every visit dimension.
 *
 * Shared links show no payments, and a part of the panels only.
 */
function useFirstRows({ view, choice }: Pick<PanelProps, 'view' | 'choice'>, dimension: string) {
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

/** A query's answer; once that is there, with the rows of the compared period, which are not worth waiting for. */
function useCompared(view: View, asked: Asked, isEnabled: boolean) {
  const plain = useAnswer(view, asked, isEnabled);
  const { compare } = toCompare(view);
  const isReady = isEnabled && plain.data !== undefined && !plain.isPlaceholderData;
  const compared = useAnswer(
    view,
    { ...asked, include: { ...asked.include, ...(compare && { compare }) } },
    isReady && compare !== undefined,
  );
  const isThere = compare !== undefined && isReady && !compared.isPlaceholderData;
  return isThere && compared.data !== undefined ? { ...plain, data: compared.data } : plain;
}
