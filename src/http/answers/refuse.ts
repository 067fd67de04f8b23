import type { FastifyBaseLogger } from 'fastify';
import { ERROR_TYPES } from '#contract/error.ts';
import { type RefusedRequest, toRefused } from './errors.ts';

/** What the log reports about a request that failed. */
export type RequestFacts = {
  /** Whether it only read. */
  readonly isRead: boolean;
  readonly requestId: string;
  readonly route: string | undefined;
};

/** A store that takes nothing refuses every write: one of them is logged now and then. */
const LOG_AGAIN_MS = 10_000;
const loggedAt = new Map<string, number>();

/**
 * The refusal that answers whatever was thrown. What is no refusal is logged; so is why writes are refused, but not
 * for each of them.
 */
export function refuse(
  error: unknown,
  { isRead, requestId, route }: RequestFacts,
  log: Pick<FastifyBaseLogger, 'error' | 'warn'>,
): RefusedRequest {
  const refused = toRefused(error, { isRead });
  const facts = { request_id: requestId, route };
  if (refused.type === 'unavailable') {
    const isLogged = !isRead && isNews(refused.message);
    if (isLogged) log.warn({ reason: reasonOf(error), ...facts }, refused.message);
  } else if (ERROR_TYPES[refused.type].code >= 500) {
    log.error({ err: error, ...facts }, refused.message);
  }
  return refused;
}

function isNews(message: string): boolean {
  const now = performance.now();
  if (now - (loggedAt.get(message) ?? Number.NEGATIVE_INFINITY) < LOG_AGAIN_MS) return false;
  loggedAt.set(message, now);
  return true;
}

function reasonOf(error: unknown): string | undefined {
  const { cause } = error as Error;
  return cause === undefined ? undefined : String(cause);
}
