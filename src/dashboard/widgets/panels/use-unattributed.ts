import type { QueryAnswer } from '#contract/query.ts';
import { useSite } from '../../account.ts';
import type { View } from '../../address.ts';
import { type Asked, useAnswer } from '../../query.ts';
import { findUnattributed, hasEveryRow, UNATTRIBUTED, type Unattributed } from './rows.ts';

const UNATTRIBUTED_ONLY: Asked = {
  metrics: ['revenue', 'payments'],
  dimensions: ['visit:channel'],
  filters: [['is', 'visit:channel', [UNATTRIBUTED]]],
};

/**
 * Payments not credited to any visit, for a panel of a visit dimension with metrics `revenue` and `payments`.
 * Undefined without such payments, or without an answer.
 *
 * Why the panel's own answer comes first: its row is usually among the largest, and a query of its own would look
 * up every payer's visits once more. Any visit dimension gives the same payments.
 */
export function useUnattributed(
  view: View,
  answer: QueryAnswer | undefined,
): Unattributed | undefined {
  const { currency } = useSite();
  const own = answer && findUnattributed(answer, currency);
  const isMissing = answer !== undefined && own === undefined && !hasEveryRow(answer);
  const { data } = useAnswer(view, UNATTRIBUTED_ONLY, isMissing);
  return isMissing && data !== undefined ? findUnattributed(data, currency) : own;
}
