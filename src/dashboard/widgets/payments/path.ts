import type { Money } from '#contract/query-fields.ts';
import type { StoryAnswer } from '#contract/story.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import { add, signOf } from '../../format/numbers.ts';

type Visit = StoryAnswer['visits'][number];

/** A touch that led to a payment, and its credit. */
export type Touch = Visit['touches'][number] & {
  readonly visit: Visit;
  /** Whether it began the visit. */
  readonly isFirst: boolean;
  /** Its share of what is left of the payment after refunds; undefined if the model gives it none. */
  readonly share: Money | undefined;
};

type Credit = StoryAnswer['payments'][number]['credit'][number];

/** The touches up to a payment, and those after it that did not lead to it. */
export type TouchesAround = { readonly before: readonly Touch[]; readonly after: readonly Touch[] };

/**
 * The touches around a payment, earliest first, those that led to it each with its share; without those that lie outside
 * the lookback window.
 */
export function toPath(
  story: StoryAnswer,
  transactionId: string,
  lookbackDays: number | null,
): TouchesAround {
  const payment = findPayment(story, transactionId);
  if (payment === undefined) return { before: [], after: [] };
  const refunds = refundsOf(story, transactionId);
  const paidAt = Date.parse(payment.at);
  const from = lookbackDays === null ? 0 : paidAt - lookbackDays * DAY_MS;
  const touches = story.visits.flatMap((visit) =>
    visit.touches.map((touch, index) => {
      const isOf = ({ visit_id, touched_at }: Credit) =>
        visit_id === visit.visit_id && touched_at === touch.at;
      const given = payment.credit.find(isOf)?.revenue;
      const at = Date.parse(touch.at);
      const taken = refunds.filter(isOf).map(({ revenue }) => revenue);
      const share = given && signOf(given) !== 0 ? taken.reduce(add, given) : undefined;
      const place =
        given !== undefined || (at >= from && at <= paidAt) ? 'before' : at > paidAt && 'after';
      return { ...touch, visit, isFirst: index === 0, share, place };
    }),
  );
  const sorted = touches.toSorted((one, two) => Date.parse(one.at) - Date.parse(two.at));
  return {
    before: sorted.filter(({ place }) => place === 'before'),
    after: sorted.filter(({ place }) => place === 'after'),
  };
}

/** What refunds of a payment take back from its touches. */
function refundsOf({ payments }: StoryAnswer, transactionId: string): readonly Credit[] {
  const refunds = payments.filter(
    ({ type, transaction_id: id, original_transaction_id: original = id }) =>
      type === 'refund' && original === transactionId,
  );
  return refunds.flatMap(({ credit }) => credit);
}

/** A payment in its person's story, which has it a moment after the payment got its visitor. */
export function findPayment(story: StoryAnswer, transactionId: string) {
  return story.payments.find(
    (each) => each.type === 'payment' && each.transaction_id === transactionId,
  );
}
