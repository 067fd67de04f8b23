import type { ErrorType, Fault } from './contract.ts';

/** Why a report failed: an error type of the API, or a reason of this package. */
export type FailureType =
  | ErrorType
  | 'timeout'
  | 'unreachable'
  | 'unexpected_answer'
  | 'misconfigured'
  | 'invalid_amount'
  | 'queue_full'
  | 'expired';

/** What to do about each type, in one line. */
const ADVICE: Readonly<Record<FailureType, string>> = {
  invalid_json: 'Update @tributary/server: it sent a body that the server cannot read.',
  invalid_request: 'Correct the fields that the details name.',
  bot_visitor: 'Nothing to do: the visitor is a bot, and its goals are not counted.',
  unauthorized: 'Set TRIBUTARY_KEY to a valid key: tributary key create --site DOMAIN.',
  forbidden: 'Create a key of this site with the scope that the message names.',
  visitor_not_found: 'Check that the page has the script, and that the key belongs to its site.',
  not_found: 'Check TRIBUTARY_URL: the address of the server, without a path.',
  method_not_allowed: 'Check TRIBUTARY_URL: the address of the server, without a path.',
  request_timeout: 'Try again: the request did not arrive in time.',
  transaction_conflict: 'Use one transaction_id for one payment, or report a refund.',
  idempotency_conflict: 'Use a new idempotency key for another report.',
  request_too_large: 'Send less: a report may have 64 KB.',
  unsupported_media_type: 'Check the proxy in front of Tributary: it changes the Content-Type.',
  rate_limited: 'Send less often, or raise RATE_LIMIT_WRITES on the server.',
  headers_too_large: 'Shorten the idempotency key.',
  internal: 'Look at the log of the server.',
  unavailable: 'Try again later: nothing was recorded. The log of the server says why.',
  timeout: 'Check that the server is up and near, or raise timeoutMs.',
  unreachable: 'Check TRIBUTARY_URL, and that the server runs and is reachable from here.',
  unexpected_answer: 'Check TRIBUTARY_URL: what answers there is not Tributary.',
  misconfigured: 'Set TRIBUTARY_URL and TRIBUTARY_KEY, or pass url and key.',
  invalid_amount: 'Pass amount_minor as a whole number of cents, yen or fils, 0 or more.',
  queue_full: 'Raise queueMax, or find out why the server is away for so long.',
  expired: 'Report it by other means: what is sent after a day may count twice.',
};

type ErrorFacts = {
  readonly status?: number | undefined;
  readonly details?: readonly Fault[] | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly isTemporary?: boolean;
  readonly cause?: unknown;
};

/** Why a report failed, and what to do about it. Its message ends with the advice. */
export class TributaryError extends Error {
  override readonly name = 'TributaryError';
  readonly type: FailureType;
  readonly advice: string;
  readonly status: number | undefined;
  /** Every fault of an invalid report, with its JSON pointer. */
  readonly details: readonly Fault[];
  /** Finds the request in the log of the server. */
  readonly requestId: string | undefined;
  /** How long the server asks to wait. */
  readonly retryAfterMs: number | undefined;
  /** Whether the same report may succeed later. */
  readonly isTemporary: boolean;

  constructor(type: FailureType, said: string, facts: ErrorFacts = {}) {
    super(`${said} ${ADVICE[type]}`, { cause: facts.cause });
    this.type = type;
    this.advice = ADVICE[type];
    this.status = facts.status;
    this.details = facts.details ?? [];
    this.requestId = facts.requestId;
    this.retryAfterMs = facts.retryAfterMs;
    this.isTemporary = facts.isTemporary ?? false;
  }
}
