import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY_MS, MINUTE_MS } from '#domain/time/durations.ts';
import { newUuid } from '../new-uuid.ts';
import { dropImpossibleTime } from './drop-steps.ts';
import { type EventDraft, newDraft } from './event-draft.ts';
import { findSentAt } from './find-sent-at.ts';
import { putTime } from './put-facts.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const BROWSER = { userAgent: undefined, trustedSiteId: undefined };

/** Minutes before now at which the events of one request happened; or why one was dropped. */
function timesOf(...events: readonly object[]): (number | string)[] {
  const sentAt = findSentAt(events, BROWSER);
  return events.map((sent) => {
    const event = { site: 's', type: 'goal', ...sent } as EventDraft['event'];
    const clock = { receivedAt: NOW, sentAt: event.sent_at ?? sentAt };
    const draft = newDraft({ index: 0, event, sender: BROWSER, ...clock });
    putTime(draft, {} as never);
    return dropImpossibleTime(draft) ?? (NOW - draft.occurredAt) / MINUTE_MS;
  });
}

describe('a retried event', () => {
  const again = (madeAt: number, more = {}) => ({
    retry: true,
    event_id: newUuid(madeAt),
    ...more,
  });

  it('happened when its id was created', () => {
    assert.deepEqual(timesOf(again(NOW - 90 * MINUTE_MS, { sent_at: NOW })), [90]);
  });

  it('is corrected by the clock error that it shows', () => {
    const fast = again(NOW - 30 * MINUTE_MS, { sent_at: NOW + 60 * MINUTE_MS });
    assert.deepEqual(timesOf(fast), [90]);
  });

  it('is corrected by the clock of a new event in the same request', () => {
    const late = again(NOW + 3 * DAY_MS - 40 * MINUTE_MS);
    assert.deepEqual(timesOf(late, { event_id: newUuid(NOW + 3 * DAY_MS) }), [40, 0]);
    assert.deepEqual(timesOf(late, null as never, { event_id: 'no-uuid' }), [0, 0, 0]);
  });

  it('never happened in the future', () => {
    assert.deepEqual(timesOf(again(NOW + 90 * MINUTE_MS, { sent_at: NOW })), [0]);
  });

  it('is dropped after a week', () => {
    assert.deepEqual(timesOf(again(NOW - 8 * DAY_MS, { sent_at: NOW })), [
      'occurred_at_out_of_range',
    ]);
  });
});
