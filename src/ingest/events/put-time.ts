import { toOurClock } from '#domain/visit/visit-start.ts';
import { instantOfUuid } from '../new-uuid.ts';
import type { EventDraft, Step } from './event-draft.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const EARLIEST_MS = Date.UTC(2000);
/** How old an event may be that is sent again by somebody without a key. */
const RETRY_MAX_MS = 7 * DAY_MS;

/**
 * Puts when it happened: now, unless a sender with a key says otherwise, or it is sent again: then
 * when its id was made, by our clock.
 */
export const putTime: Step = (draft) => {
  const { event, sender, receivedAt } = draft;
  if (sender.trustedSiteId === undefined)
    return event.retry === true ? putMaking(draft) : undefined;
  if (event.occurred_at === undefined) return undefined;
  const occurredAt = Math.trunc(event.occurred_at);
  const isPossible = occurredAt >= EARLIEST_MS && occurredAt <= receivedAt + DAY_MS;
  if (!isPossible) return 'occurred_at_out_of_range';
  draft.occurredAt = occurredAt;
  return undefined;
};

/** Later than now it cannot have been, whatever the sender's clock says. */
function putMaking(draft: EventDraft): ReturnType<Step> {
  const { event, receivedAt, sentAt } = draft;
  if (event.event_id === undefined) return undefined;
  const madeAt = toOurClock(instantOfUuid(event.event_id), { sentAt, receivedAt });
  if (madeAt < receivedAt - RETRY_MAX_MS) return 'occurred_at_out_of_range';
  draft.occurredAt = Math.min(madeAt, receivedAt);
  return undefined;
}
