import { isIP } from 'node:net';
import { createChecker } from '#contract/checker.ts';
import { EventRequest } from '#contract/event.ts';
import type { Fault } from '#contract/fault.ts';
import { withoutNulls } from '#contract/optional.ts';
import { UUID_V7_PATTERN } from '#contract/patterns.ts';
import { ok, type Result, refuse } from '#domain/result.ts';

const checker = createChecker(EventRequest);

/** Fields that only a sender with a key may set. Otherwise they are ignored, valid or not. */
const TRUSTED_FIELDS = ['ip', 'user_agent', 'occurred_at'] as const;

/** The form of the tracker's ids. Every sender may set these, so that retries can be deduplicated. */
const TRACKER_ID = new RegExp(UUID_V7_PATTERN);

/** Parses an event, or refuses it with all its faults. */
export function parseEvent(sent: unknown, isTrusted: boolean): Result<EventRequest, Fault[]> {
  const fields = withoutNulls(sent, EventRequest);
  const event = isTrusted ? fields : withoutTrustedFields(fields);
  if (!checker.isValid(event)) return refuse(checker.findFaults(event));
  const missing = findMissing(event, isTrusted);
  if (missing !== undefined) {
    return refuse([{ path: `/${missing}`, message: `is required for this ${event.type}` }]);
  }
  if (event.ip !== undefined && isIP(event.ip) === 0) {
    return refuse([{ path: '/ip', message: 'must be an IP address' }]);
  }
  return ok(event);
}

/** Returns the value itself if it has none of these fields (the usual case) or is not an object. */
function withoutTrustedFields(sent: unknown): unknown {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent;
  const { event_id: id } = sent as { readonly event_id?: unknown };
  const hasForeignId = id !== undefined && !(typeof id === 'string' && TRACKER_ID.test(id));
  if (!hasForeignId && TRUSTED_FIELDS.every((field) => !Object.hasOwn(sent, field))) return sent;
  const event: Record<string, unknown> = { ...sent };
  for (const field of TRUSTED_FIELDS) delete event[field];
  if (hasForeignId) delete event.event_id;
  return event;
}

/** The missing field that this type of event requires, if any. Browsers always know their URL. */
function findMissing(event: EventRequest, isTrusted: boolean): keyof EventRequest | undefined {
  if (event.url === undefined && (!isTrusted || event.type === 'pageview')) return 'url';
  if (event.type === 'goal' && event.name === undefined) return 'name';
  if (event.type === 'identify' && event.user_id === undefined) return 'user_id';
  return undefined;
}
