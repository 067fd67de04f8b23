import { useSite } from '../../api/account.ts';
import { isOld, useAnswer } from '../../api/query.ts';
import type { PanelProps } from './panel-props.ts';
import { FIRST_TABS, isOfFirstTabs, onlyOf, toAsked, toFirstRows } from './panel-query.ts';
import { findUnattributed, type Unattributed } from './rows.ts';

/**
 * A panel's first rows, and the payments not credited to any visit: the same for every visit dimension.
 *
 * Shared links show no payments, and a part of the panels only.
 */
export function useFirstRows(
  { view, choice }: Pick<PanelProps, 'view' | 'choice'>,
  dimension: string,
) {
  const { currency, shared } = useSite();
  const isOwn = shared === undefined;
  const isTogether = isOwn && isOfFirstTabs(choice, dimension);
  const isPaid = isOwn && choice.measure === 'revenue' && dimension.startsWith('visit:');
  const together = useAnswer(view, FIRST_TABS, isPaid);
  const alone = useAnswer(view, toFirstRows(toAsked(choice, dimension)), !isTogether);
  const unattributed: Unattributed | undefined =
    isPaid && together.data
      ? findUnattributed(onlyOf('visit:channel', together.data), currency)
      : undefined;
  const shown = isTogether ? together : alone;
  const { data, error, refetch } = shown;
  const answer = isTogether && data ? onlyOf(dimension, data) : data;
  return { answer, error, refetch, isOld: isOld(shown), unattributed };
}
