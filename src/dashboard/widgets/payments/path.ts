import type { Money } from '#contract/query-fields.ts';
import type { StoryAnswer } from '#contract/story.ts';
import { add, signOf } from '../../format/amounts.ts';

type Visit = StoryAnswer['visits'][number];

/** A visit that led to a payment, and its credit. */
export type Touch = Visit & {
  /** Its share of what is left of the payment after refunds; undefined if the model gives it none. */
  readonly share: Money | undefined;
};

const DAY_MS = 86_400_000;

/** The visits up to a payment, earliest first, each with its share; those outside the lookback window are dropped. */
export function toPath(
  story: StoryAnswer,
  transactionId: string,
  lookbackDays: number | null,
): readonly Touch[] {
  const payment = findPayment(story, transactionId);
  if (payment === undefined) return [];
  const shares = new Map(payment.credit.map(({ visit_id, revenue }) => [visit_id, revenue]));
  const left = new Map(shares);
  for (const { visit_id, revenue } of refundsOf(story, transactionId)) {
    const share = left.get(visit_id);
    if (share !== undefined) left.set(visit_id, add(share, revenue));
  }
  const paidAt = Date.parse(payment.at);
  const from = lookbackDays === null ? 0 : paidAt - lookbackDays * DAY_MS;
  return story.visits
    .filter(({ visit_id, started_at }) => {
      const at = Date.parse(started_at);
      return shares.has(visit_id) || (at >= from && at <= paidAt);
    })
    .map((visit) => {
      const share = shares.get(visit.visit_id);
      const hasShare = share !== undefined && signOf(share) !== 0;
      return { ...visit, share: hasShare ? left.get(visit.visit_id) : undefined };
    })
    .toSorted((one, two) => Date.parse(one.started_at) - Date.parse(two.started_at));
}

/** What refunds of a payment take back from its visits. */
function refundsOf({ payments }: StoryAnswer, transactionId: string) {
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
