import type { FastifyBaseLogger } from 'fastify';
import { ERROR_TYPES } from '#contract/error.ts';
import { type RefusedRequest, toRefused } from './errors.ts';

/** What is told of a request that failed. */
export type RequestFacts = {
  /** Whether it only asked. */
  readonly isRead: boolean;
  readonly requestId: string;
  readonly route: string | undefined;
};

/** The refusal that answers whatever was thrown. Only what is no refusal is logged. */
export function refuse(
  error: unknown,
  { isRead, requestId, route }: RequestFacts,
  log: FastifyBaseLogger,
): RefusedRequest {
  const refused = toRefused(error, { isRead });
  if (ERROR_TYPES[refused.type].code >= 500) {
    const facts = { err: error, request_id: requestId, route };
    // A store that is away is told by whoever watches it; here it is one of many answers.
    if (refused.type === 'unavailable') log.debug(facts, refused.message);
    else log.error(facts, refused.message);
  }
  return refused;
}
