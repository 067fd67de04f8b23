import { useSite } from '../../account.ts';
import { useAnswer } from '../../query.ts';
import type { PanelProps } from './panel-props.ts';
import { BY_CHANNEL } from './panel-query.ts';
import { findUnattributed, type Unattributed } from './rows.ts';

/** Payments not credited to any visit: the same for every visit dimension. */
export function useUnattributed(
  { view, choice }: Pick<PanelProps, 'view' | 'choice'>,
  dimension: string,
): Unattributed | undefined {
  const { currency, shared } = useSite();
  const isOfVisits = choice.measure === 'revenue' && dimension.startsWith('visit:');
  const isShown = isOfVisits && shared === undefined; // It links to payments.
  const { data } = useAnswer(view, BY_CHANNEL, isShown);
  return isShown && data !== undefined ? findUnattributed(data, currency) : undefined;
}
