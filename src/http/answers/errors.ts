import type { FastifyBaseLogger } from 'fastify';
import { ERROR_TYPES, type ErrorType } from '#contract/error.ts';
import type { Fault } from '#contract/fault.ts';
import { isUnreadable, UnavailableError } from '#domain/unavailable.ts';

/** The type of every JSON answer. */
export const JSON_CONTENT_TYPE = 'application/json; charset=utf-8';

/** A request is refused: thrown on its way in, answered by the server's one error path. */
export class RefusedRequest extends Error {
  readonly type: ErrorType;
  readonly details: readonly Fault[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    type: ErrorType,
    message: string,
    more: { details?: readonly Fault[]; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message);
    this.name = 'RefusedRequest';
    this.type = type;
    this.details = more.details ?? [];
    this.headers = more.headers ?? {};
  }
}

/** A body that breaks rules of the contract, with every fault. */
export function refuseFaults(details: readonly Fault[]): RefusedRequest {
  const first = details[0];
  const where = first === undefined ? '' : toWhere(first);
  const more = details.length > 1 ? ` (and ${details.length - 1} more in details)` : '';
  return new RefusedRequest('invalid_request', `The request is invalid${where}${more}.`, {
    details,
  });
}

/** Faults are predicates (`is required`) or sentences of their own; both stand behind a colon. */
function toWhere({ path, message }: Fault): string {
  return ` at ${path || 'the body'}: ${message.replace(/\.$/, '')}`;
}

/** The body of an error answer. */
export function toErrorBody(refused: RefusedRequest, requestId: string): string {
  const { type, message, details } = refused;
  const { code } = ERROR_TYPES[type];
  return JSON.stringify({
    status: 'error',
    error: { code, type, message, details, request_id: requestId },
  });
}

/** What Fastify itself refuses, by its code. */
const REFUSED_BY_FASTIFY: Readonly<Record<string, { type: ErrorType; message: string }>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: {
    type: 'request_too_large',
    message: 'The body is larger than this endpoint takes: 64 KiB, or 1 MiB of events.',
  },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    type: 'unsupported_media_type',
    message: 'The Content-Type must be application/json.',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    type: 'invalid_request',
    message: 'The body is not as long as its Content-Length.',
  },
  FST_ERR_BAD_URL: { type: 'not_found', message: 'The path is not well encoded.' },
  FST_ERR_MAX_PARAM_LENGTH: { type: 'not_found', message: 'The path is too long.' },
};

/**
 * The refusal that answers whatever was thrown: the one table from failures to HTTP.
 *
 * - Shape: what is no refusal of ours and no outage is `internal`, and says nothing to the caller.
 * - Why reads differ: a read had nothing to record.
 */
export function toRefused(error: unknown, { isRead }: { isRead: boolean }): RefusedRequest {
  if (error instanceof RefusedRequest) return error;
  if (error instanceof UnavailableError) {
    const advice = isRead ? 'Try again.' : 'Nothing was recorded; try again.';
    return new RefusedRequest('unavailable', `${error.message} ${advice}`, {
      headers: { 'retry-after': String(error.retryAfterSeconds) },
    });
  }
  const { code, statusCode } = toFailure(error);
  const known = REFUSED_BY_FASTIFY[code];
  if (known !== undefined) return new RefusedRequest(known.type, known.message);
  if (code === 'ECONNRESET' || code === 'ECONNABORTED') {
    return new RefusedRequest('invalid_request', 'The body did not arrive whole.');
  }
  if (statusCode >= 400 && statusCode < 500) {
    return new RefusedRequest(statusCode === 404 ? 'not_found' : 'invalid_request', 'Bad request.');
  }
  return new RefusedRequest('internal', 'The service failed. The failure is in its log.');
}

function toFailure(error: unknown): { code: string; statusCode: number } {
  const { code, statusCode } = (error ?? {}) as { code?: unknown; statusCode?: unknown };
  return { code: String(code ?? ''), statusCode: Number(statusCode ?? 500) };
}

/** What the log reports about a request that failed. */
export type RequestFacts = {
  /** Whether it only read. */
  readonly isRead: boolean;
  readonly requestId: string | undefined;
  readonly route: string | undefined;
};

/** A store in trouble fails every request: a spell of it is logged once, and is over after so long without. */
const SPELL_GAP_MS = 60_000;
const failedAt = new Map<string, number>();

/**
 * The refusal that answers whatever was thrown. What is no refusal is logged; so is why a store takes or answers
 * nothing, but not for each request.
 */
export function refuse(
  error: unknown,
  { isRead, requestId, route }: RequestFacts,
  log: Pick<FastifyBaseLogger, 'error' | 'warn'>,
): RefusedRequest {
  const failure = isRead && isUnreadable(error) ? new UnavailableError(UNREADABLE, error) : error;
  const refused = toRefused(failure, { isRead });
  const facts = { request_id: requestId, route };
  if (refused.type === 'unavailable') {
    const { message, cause } = failure as Error;
    const reason = cause === undefined ? undefined : String(cause);
    // A read that fails without a cause waits for others, or for the start.
    if (isRead && reason === undefined) return refused;
    if (isNews(message)) log.warn({ reason, ...facts }, refused.message);
  } else if (ERROR_TYPES[refused.type].code >= 500) {
    log.error({ err: error, ...facts }, refused.message);
  }
  return refused;
}

function isNews(message: string): boolean {
  const now = performance.now();
  const before = failedAt.get(message) ?? Number.NEGATIVE_INFINITY;
  failedAt.set(message, now);
  return now - before > SPELL_GAP_MS;
}

const UNREADABLE = 'What is stored cannot be read just now.';
