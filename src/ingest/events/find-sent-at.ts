import { UUID_V7_PATTERN } from '#contract/text.ts';
import { instantOfUuid } from '../new-uuid.ts';
import type { Sender } from './event-draft.ts';

const UUID_V7 = new RegExp(UUID_V7_PATTERN);

/**
 * A browser's clock as it sent a request: when the newest `event_id` in it was made, of what is sent
 * the first time; nothing where there is none.
 *
 * - Units: milliseconds since 1970.
 * - Why: the tracker makes an event's id as it sends it first, and sends along with it what it could
 *   not send before.
 */
export function findSentAt(
  events: readonly unknown[],
  { trustedSiteId }: Pick<Sender, 'trustedSiteId'>,
): number | undefined {
  if (trustedSiteId !== undefined) return undefined; // A server's ids say nothing of its clock.
  let newest: number | undefined;
  for (const event of events) {
    const { event_id: id, retry } = (event ?? {}) as Partial<Record<string, unknown>>;
    if (retry === true || typeof id !== 'string' || !UUID_V7.test(id)) continue;
    newest = Math.max(newest ?? 0, instantOfUuid(id));
  }
  return newest;
}
