import { UUID_V7_PATTERN } from '#contract/patterns.ts';
import { instantOfUuid } from '../new-uuid.ts';
import type { Sender } from './event-draft.ts';

const UUID_V7 = new RegExp(UUID_V7_PATTERN);

/**
 * Finds when a browser sent a request, by the browser's clock: the creation time of the newest
 * `event_id` that is not a retry. Undefined without one.
 *
 * - Units: milliseconds since 1970.
 * - Why it works: the tracker creates an event's id when it first sends the event. Events that could
 *   not be sent earlier go along as retries.
 */
export function findSentAt(events: readonly unknown[], sender: Pick<Sender, 'trustedSiteId'>) {
  if (sender.trustedSiteId !== undefined) return undefined; // A server's ids say nothing about its clock.
  let newest: number | undefined;
  for (const event of events) {
    const { event_id: id, retry } = (event ?? {}) as Partial<Record<string, unknown>>;
    if (retry === true || typeof id !== 'string' || !UUID_V7.test(id)) continue;
    newest = Math.max(newest ?? 0, instantOfUuid(id));
  }
  return newest;
}
