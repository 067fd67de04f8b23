import type { QueryAnswer } from '#contract/query.ts';
import type { Money } from '#contract/query-fields.ts';
import { describeConverting } from '#domain/money/rates/describe-converting.ts';
import { formatDays } from '../../format/dates.ts';
import { formatExactMoney, formatNoun, signOf } from '../../format/numbers.ts';

/** What answers report about themselves. */
export type Meta = {
  [Name in
    | 'behind_seconds'
    | 'unconverted'
    | 'unconverted_costs'
    | 'converting'
    | 'late_rates'
    | 'rates_until']?: QueryAnswer['meta'][Name] | undefined;
};

/** Sentences about money that no sum includes, and that older rates converted; guests cannot mend the server's rates. */
export function toMoneyNotes(metas: readonly Meta[], isShared = false): readonly string[] {
  const missing = most(metas.flatMap(({ unconverted = [] }) => unconverted));
  const until = metas.find(({ rates_until }) => rates_until !== undefined)?.rates_until;
  const converting = metas.find((meta) => meta.converting !== undefined)?.converting;
  const late = most(metas.flatMap(({ late_rates = [] }) => late_rates));
  const amounts = missing.map(({ gross_revenue: gross, refunds }) =>
    formatExactMoney(signOf(gross) === 0 ? refunds : gross),
  );
  const counts = late.map((each) => `${formatNoun(each.payments, 'payment')} in ${each.currency}`);
  const spent = mostSpent(metas);
  const notes = [
    spent.length > 0 &&
      `Cost does not include ${spent.map((sum) => formatExactMoney(sum)).join(' and ')}, because no exchange rate is known for ${spent.map(({ currency }) => currency).join(' and ')}.`,
    amounts.length > 0 &&
      `Revenue does not include ${amounts.join(' and ')}, because no exchange rate is known for ${missing.map(({ currency }) => currency).join(' and ')}.`,
    converting !== undefined &&
      `Payments are being converted again: ${describeConverting(converting)} Until then, some amounts are old.`,
    counts.length > 0 &&
      `Converted at an older exchange rate until that day’s rate is known: ${counts.join(' and ')}.`,
    until !== undefined &&
      !isShared &&
      `Exchange rates end on ${formatDays(until, until)}. Unless RATES_URL is empty, the server’s log says why newer ones could not be fetched; “tributary rates update --from-ecb” adds them.`,
  ];
  return notes.filter((note) => note !== false);
}

/** Of each currency the most that an answer lacks: some answers are about a part of the costs. */
function mostSpent(metas: readonly Meta[]): readonly Money[] {
  const costs = metas.flatMap(({ unconverted_costs: own = [] }) => own.map(({ cost }) => cost));
  const rising = costs.toSorted((one, other) => Number(one.value) - Number(other.value));
  return [...new Map(rising.map((cost) => [cost.currency, cost])).values()];
}

/** Of each currency the most that an answer reports: some answers are about a part of the payments. */
function most<Note extends { readonly currency: string; readonly payments: number }>(
  notes: readonly Note[],
): readonly Note[] {
  const rising = notes.toSorted((one, other) => one.payments - other.payments);
  return [...new Map(rising.map((note) => [note.currency, note])).values()];
}
