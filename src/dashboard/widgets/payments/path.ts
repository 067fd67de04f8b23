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

/** The touches up to a payment, earliest first, each with its share; those outside the lookback window are dropped. */
export function toPath(
  story: StoryAnswer,
  transactionId: string,
  lookbackDays: number | null,
): readonly Touch[] {
  const payment = findPayment(story, transactionId);
  if (payment === undefined) return [];
  const refunds = refundsOf(story, transactionId);
  const paidAt = Date.parse(payment.at);
  const from = lookbackDays === null ? 0 : paidAt - lookbackDays * DAY_MS;
  const touches = story.visits.flatMap((visit) =>
    visit.touches.flatMap((touch, index) => {
      const isOf = ({ visit_id, touched_at }: Credit) =>
        visit_id === visit.visit_id && touched_at === touch.at;
      const given = payment.credit.find(isOf)?.revenue;
      const at = Date.parse(touch.at);
      if (given === undefined && (at < from || at > paidAt)) return [];
      const taken = refunds.filter(isOf).map(({ revenue }) => revenue);
      const share = given && signOf(given) !== 0 ? taken.reduce(add, given) : undefined;
      return { ...touch, visit, isFirst: index === 0, share };
    }),
  );
  return touches.toSorted((one, two) => Date.parse(one.at) - Date.parse(two.at));
}

/** What refunds of a payment take back from its touches. */
function refundsOf({ payments }: StoryAnswer, transactionId: string): readonly Credit[] {
  const refunds = payments.filter(
    ({ type, transaction_id: id, original_transaction_id: original = id }) =>
      type === 'refund' && original === transactionId,
  );
  return refunds.flatMap(({ credit }) => credit);
}

/** The touches after a payment that did not lead to it, earliest first. */
export function touchesAfter(
  story: StoryAnswer,
  transactionId: string,
  path: readonly Touch[],
): readonly Touch[] {
  const payment = findPayment(story, transactionId);
  if (payment === undefined) return [];
  const paidAt = Date.parse(payment.at);
  const led = new Set(path.map(({ visit, at }) => `${visit.visit_id} ${at}`));
  const touches = story.visits.flatMap((visit) =>
    visit.touches.flatMap((touch, index): Touch[] => {
      const isBefore = Date.parse(touch.at) <= paidAt || led.has(`${visit.visit_id} ${touch.at}`);
      return isBefore ? [] : [{ ...touch, visit, isFirst: index === 0, share: undefined }];
    }),
  );
  return touches.toSorted((one, two) => Date.parse(one.at) - Date.parse(two.at));
}

/** A payment in its person's story, which has it a moment after the payment got its visitor. */
export function findPayment(story: StoryAnswer, transactionId: string) {
  return story.payments.find(
    (each) => each.type === 'payment' && each.transaction_id === transactionId,
  );
}
