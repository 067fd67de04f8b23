import { createChecker } from '#contract/checker.ts';
import { EventRequest } from '#contract/event.ts';
import type { Fault } from '#contract/fault.ts';
import { ok, type Result, refuse } from '#domain/result.ts';

const checker = createChecker(EventRequest);

/** An event in the form of the contract, or every fault of it. */
export function parseEvent(sent: unknown, isTrusted: boolean): Result<EventRequest, Fault[]> {
  if (!checker.isValid(sent)) return refuse(checker.findFaults(sent));
  const missing = findMissing(sent, isTrusted);
  return missing === undefined
    ? ok(sent)
    : refuse([{ path: `/${missing}`, message: `is required of this ${sent.type}` }]);
}

/** What one type of event needs and others do not. A browser always knows its page's address. */
function findMissing(event: EventRequest, isTrusted: boolean): keyof EventRequest | undefined {
  if (event.url === undefined && (!isTrusted || event.type === 'pageview')) return 'url';
  if (event.type === 'goal' && event.name === undefined) return 'name';
  if (event.type === 'identify' && event.user_id === undefined) return 'user_id';
  return undefined;
}
