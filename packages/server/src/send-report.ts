import type { ErrorAnswer } from './contract.ts';
import { type FailureType, TributaryError } from './tributary-error.ts';

/** A report as it is sent, each time with the same bytes and the same key. */
export type Report = {
  readonly kind: 'goal' | 'identify' | 'payment' | 'refund';
  /** The goal's name, the transaction's id, or the user's id. */
  readonly subject: string;
  readonly path: string;
  readonly body: string;
  readonly idempotencyKey?: string;
};

/** Where reports are sent, and how. */
export type Target = {
  readonly url: string | undefined;
  readonly key: string | undefined;
  readonly timeoutMs: number;
  readonly fetch: typeof globalThis.fetch;
};

/** The largest answer that is read. Tributary's have a few hundred bytes. */
const ANSWER_MAX_BYTES = 64 * 1024;
/** Next.js 14 caches requests. The standard's `cache` is an error in some edge runtimes. */
const UNCACHED = { next: { revalidate: 0 } };
const KEY = /^trib_[0-9A-Za-z]{49}$/;

/** Sends a report once. Resolves once Tributary has it on disk; throws a TributaryError otherwise. */
export async function sendReport(target: Target, report: Report): Promise<unknown> {
  const { url, key } = readTarget(target);
  const signal = AbortSignal.timeout(target.timeoutMs);
  let response: Response;
  let text: string;
  try {
    response = await target.fetch(new URL(report.path.slice(1), url), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...(report.idempotencyKey && { 'idempotency-key': report.idempotencyKey }),
      },
      body: report.body,
      redirect: 'manual', // A redirect would lose the body, or carry the key elsewhere.
      ...UNCACHED,
      signal,
    });
    text = await readText(response);
  } catch (cause) {
    const facts = { cause, isTemporary: true };
    const late = `Tributary did not answer within ${target.timeoutMs} ms.`;
    if (signal.aborted) throw new TributaryError('timeout', late, facts);
    const said = `Tributary cannot be reached at ${url}: ${reasonOf(cause)}.`;
    throw new TributaryError('unreachable', said, facts);
  }
  const answer: unknown = await new Response(text).json().catch(() => undefined);
  if (response.status === 200 && isAnswerTo(report, answer)) return answer;
  throw toError(response, answer, url);
}

function readTarget({ url, key }: Target): { url: string; key: string } {
  if (url === undefined || url === '') throw misconfigured('TRIBUTARY_URL is not set.');
  if (key === undefined || key === '') throw misconfigured('TRIBUTARY_KEY is not set.');
  if (!KEY.test(key)) throw misconfigured('TRIBUTARY_KEY is not a whole key: trib_…');
  if (!/^https?:\/\/[^/]/.test(url)) throw misconfigured(`TRIBUTARY_URL is not an address: ${url}`);
  return { url: url.endsWith('/') ? url : `${url}/`, key };
}

const misconfigured = (said: string) => new TributaryError('misconfigured', said);

/** The text of an answer, unless it is larger than any of Tributary's. */
async function readText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > ANSWER_MAX_BYTES) return '';
  }
  return text;
}

/** Whether an answer is Tributary's to this report: a page of a proxy with the status 200 is not. */
function isAnswerTo({ kind, subject }: Report, answer: unknown): boolean {
  const { transaction_id, status, data } = (answer ?? {}) as Readonly<Record<string, unknown>>;
  if (kind === 'payment' || kind === 'refund') return transaction_id === subject;
  return status === 'success' && Array.isArray(data) && typeof data[0]?.eventId === 'string';
}

function toError(response: Response, answer: unknown, url: string): TributaryError {
  const { status, headers } = response;
  const isTemporary = status === 200 || status === 408 || status === 429 || status >= 500;
  const facts = { status, isTemporary, retryAfterMs: readRetryAfter(headers.get('retry-after')) };
  const error = (answer as Partial<ErrorAnswer> | undefined)?.error;
  if (typeof error?.type === 'string' && typeof error.message === 'string') {
    const { type, message, details, request_id: requestId } = error;
    return new TributaryError(type, message, { ...facts, details, requestId });
  }
  const location = headers.get('location');
  const where = location === null ? '' : ` and points to ${location}`;
  const said = `${url} answers ${status}${where}, but not as Tributary does.`;
  return new TributaryError(typeOf(status), said, facts);
}

/** What a status means that comes from a proxy in front of Tributary. */
function typeOf(status: number): FailureType {
  if (status >= 500) return 'unavailable';
  if (status === 429) return 'rate_limited';
  return status === 413 ? 'request_too_large' : 'unexpected_answer';
}

/** Seconds, or a date. Source: RFC 9110, section 10.2.3. */
function readRetryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  const waitMs = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isFinite(waitMs) && waitMs >= 0 ? waitMs : undefined;
}

/** The innermost reason: `fetch failed` says nothing, its cause does. */
function reasonOf(error: unknown): string {
  const { cause, code, message } = error as { cause?: unknown; code?: unknown; message?: unknown };
  if (cause !== undefined && cause !== null) return reasonOf(cause);
  return String(code ?? message ?? error);
}
