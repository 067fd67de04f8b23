import type { Money } from '#contract/query-fields.ts';
import { formatExactMoney } from '../../format/numbers.ts';

/** What was spent, in each currency. */
export function spentOf(sums: readonly Money[]): string {
  return sums.map((sum) => formatExactMoney(sum)).join(' + ');
}
