import type { FastifyBaseLogger } from 'fastify';
import { ERROR_TYPES, type ErrorType } from '#contract/error.ts';
import type { Fault } from '#contract/fault.ts';
import { countNoun } from '#domain/count-noun.ts';
import { isUnreadable, UnavailableError } from '#domain/unavailable.ts';

/** The content type of every JSON response. */
export const JSON_CONTENT_TYPE = 'application/json; charset=utf-8';

/** A refused request. Thrown by handlers and hooks, and answered by the server's one error path. */
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

/** Makes the refusal of an invalid request, with every fault. */
export function refuseFaults(details: readonly Fault[]): RefusedRequest {
  const first = details[0];
  const where = first === undefined ? '' : toWhere(first);
  const more = details.length > 1 ? ` (and ${details.length - 1} more in details)` : '';
  return new RefusedRequest('invalid_request', `The request is invalid${where}${more}.`, {
    details,
  });
}

/** Faults are predicates (`is required`) or whole sentences; both follow a colon. */
function toWhere({ path, message }: Fault): string {
  return ` at ${path || 'the body'}: ${message.replace(/\.$/, '')}`;
}

/** Refuses what came too early, with the wait after the reason. */
export function refuseForNow(reason: string, waitMs: number): RefusedRequest {
  const seconds = Math.ceil(waitMs / 1_000);
  const wait = countNoun(seconds, 'second');
  return new RefusedRequest('rate_limited', `${reason} Try again in ${wait}.`, {
    headers: { 'retry-after': String(seconds) },
  });
}

/** The body of an error response. */
export function toErrorBody(refused: RefusedRequest, requestId: string): string {
  const { type, message, details } = refused;
  const { code } = ERROR_TYPES[type];
  return JSON.stringify({
    status: 'error',
    error: { code, type, message, details, request_id: requestId },
  });
}

/** Fastify's own errors, by code. */
const REFUSED_BY_FASTIFY: Readonly<Record<string, { type: ErrorType; message: string }>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: {
    type: 'request_too_large',
    message: 'The body is larger than this endpoint allows: 64 KiB, or 1 MiB of events.',
  },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    type: 'unsupported_media_type',
    message: 'The Content-Type must be application/json.',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    type: 'invalid_request',
    message: 'The length of the body does not match its Content-Length.',
  },
  FST_ERR_BAD_URL: { type: 'not_found', message: 'The path is not encoded correctly.' },
  FST_ERR_MAX_PARAM_LENGTH: { type: 'not_found', message: 'The path is too long.' },
};

/**
 * Maps any thrown error to the refusal that answers it: the one table from failures to HTTP.
 *
 * - Shape: an error that is neither a refusal nor an outage becomes `internal` and reveals nothing.
 * - Why reads differ: they record nothing anyway.
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
    return new RefusedRequest('invalid_request', 'The body did not arrive completely.');
  }
  if (statusCode >= 400 && statusCode < 500) {
    return new RefusedRequest(statusCode === 404 ? 'not_found' : 'invalid_request', 'Bad request.');
  }
  return new RefusedRequest('internal', 'Internal error. The server log has the details.');
}

function toFailure(error: unknown): { code: string; statusCode: number } {
  const { code, statusCode } = (error ?? {}) as { code?: unknown; statusCode?: unknown };
  return { code: String(code ?? ''), statusCode: Number(statusCode ?? 500) };
}

type RequestFacts = {
  /** Whether the request only reads. */
  readonly isRead: boolean;
  readonly requestId: string | undefined;
  readonly route: string | undefined;
};

/** A failing store fails every request, so an outage is logged once. It is over after this long without failures. */
const OUTAGE_GAP_MS = 60_000;
const failedAt = new Map<string, number>();

/**
 * Maps any thrown error to a refusal and logs it unless it is one. An unavailable store is logged
 * once per outage, not for each request.
 */
export function logAndRefuse(
  error: unknown,
  { isRead, requestId, route }: RequestFacts,
  log: Pick<FastifyBaseLogger, 'error' | 'warn'>,
): RefusedRequest {
  const failure = isUnreadable(error) ? new UnavailableError(FILE_TROUBLE, error) : error;
  const refused = toRefused(failure, { isRead });
  const facts = { request_id: requestId, route };
  if (refused.type === 'unavailable') {
    const { message, cause } = failure as Error;
    const reason = cause === undefined ? undefined : String(cause);
    // Without a cause, the read was waiting for other queries or for the server's start.
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
  return now - before > OUTAGE_GAP_MS;
}

const FILE_TROUBLE = 'The stored data cannot be read or written at the moment.';
