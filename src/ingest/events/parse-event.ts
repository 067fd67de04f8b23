import { isIP } from 'node:net';
import { createChecker } from '#contract/checker.ts';
import { EventRequest } from '#contract/event.ts';
import type { Fault } from '#contract/fault.ts';
import { withoutNulls } from '#contract/optional.ts';
import { UUID_V7_PATTERN } from '#contract/text.ts';
import { ok, type Result, refuse } from '#domain/result.ts';

const checker = createChecker(EventRequest);

/** What only a sender with a key is believed about; of others it is ignored, whatever it holds. */
const TRUSTED_FIELDS = ['ip', 'user_agent', 'occurred_at'] as const;

/** Ids of the tracker's own form are taken from anybody, as a repeated event must be known again. */
const ID_OF_ANYBODY = new RegExp(UUID_V7_PATTERN);

/** An event in the form of the contract, or every fault of it. */
export function parseEvent(sent: unknown, isTrusted: boolean): Result<EventRequest, Fault[]> {
  const said = withoutNulls(sent, EventRequest);
  const event = isTrusted ? said : withoutTrustedFields(said);
  if (!checker.isValid(event)) return refuse(checker.findFaults(event));
  const missing = findMissing(event, isTrusted);
  if (missing !== undefined) {
    return refuse([{ path: `/${missing}`, message: `is required of this ${event.type}` }]);
  }
  if (event.ip !== undefined && isIP(event.ip) === 0) {
    return refuse([{ path: '/ip', message: 'must be an IP address' }]);
  }
  return ok(event);
}

/** What is no object is left to the checker, and so is the usual event, which has none of them. */
function withoutTrustedFields(sent: unknown): unknown {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent;
  const { event_id: id } = sent as { readonly event_id?: unknown };
  const hasForeignId = id !== undefined && !(typeof id === 'string' && ID_OF_ANYBODY.test(id));
  if (!hasForeignId && TRUSTED_FIELDS.every((field) => !Object.hasOwn(sent, field))) return sent;
  const event: Record<string, unknown> = { ...sent };
  for (const field of TRUSTED_FIELDS) delete event[field];
  if (hasForeignId) delete event.event_id;
  return event;
}

/** What one type of event needs and others do not. A browser always knows its page's address. */
function findMissing(event: EventRequest, isTrusted: boolean): keyof EventRequest | undefined {
  if (event.url === undefined && (!isTrusted || event.type === 'pageview')) return 'url';
  if (event.type === 'goal' && event.name === undefined) return 'name';
  if (event.type === 'identify' && event.user_id === undefined) return 'user_id';
  return undefined;
}
