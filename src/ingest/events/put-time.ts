import type { Step } from './event-draft.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const EARLIEST_MS = Date.UTC(2000);

/** Puts when it happened: now, unless a sender with a key says otherwise. */
export const putTime: Step = (draft) => {
  const { occurred_at } = draft.event;
  if (occurred_at === undefined || draft.sender.trustedSiteId === undefined) return undefined;
  const occurredAt = Math.trunc(occurred_at);
  const isPossible = occurredAt >= EARLIEST_MS && occurredAt <= draft.receivedAt + DAY_MS;
  if (!isPossible) return 'occurred_at_out_of_range';
  draft.occurredAt = occurredAt;
  return undefined;
};
