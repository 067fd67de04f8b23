import { MINUTE_MS } from '#domain/time/durations.ts';
import { type JsonValue, parseExactJson, textAt } from '../json.ts';
import type { Backfill, BackfillRequest, ConnectionSecrets } from '../provider.ts';

/** Sends a request to a provider. Throws if there is no answer. */
export type SendRequest = (
  url: URL,
  request: BackfillRequest,
) => Promise<{
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}>;

/** What became of a request. */
export type AskOutcome =
  | { readonly kind: 'answer'; readonly answer: JsonValue }
  /** Worth another try: `waitMs` is what the provider asks for. */
  | { readonly kind: 'later'; readonly why: string; readonly waitMs: number | undefined }
  /** Not before somebody has done something. `of`: whether the whole key is refused, or what was asked for. */
  | {
      readonly kind: 'refused';
      /** What the provider said, and what to do. */
      readonly why: string;
      readonly said: string;
      readonly of: 'key' | 'request';
    };

/** Asks a provider's API, with the key of a connection. */
export type AskProvider = (
  request: (secrets: ConnectionSecrets) => BackfillRequest,
) => Promise<AskOutcome>;

/** The longest that a provider can make us wait. */
const WAIT_MAX_MS = 60 * MINUTE_MS;

/** Opens the API of a provider for a connection. Short-lived tokens are asked for as they run out. */
export function createAskProvider(
  { title, backfill }: { readonly title: string; readonly backfill: Backfill },
  secrets: ConnectionSecrets,
  { send, now }: { readonly send: SendRequest; readonly now: () => number },
): AskProvider {
  let token: { readonly text: string; readonly until: number } | undefined;

  async function ask(request: BackfillRequest): Promise<AskOutcome> {
    const url = findUrl(backfill, secrets, request.path);
    if (url === undefined) {
      return refused('key', `The address of ${title}’s API is not known: check the settings.`);
    }
    try {
      return judge(title, await send(url, request), now());
    } catch (error) {
      return later(`${title} cannot be reached: ${(error as Error).message}`);
    }
  }

  /** Gets a token that stands in for the API key. Returns what is wrong, if something is. */
  async function renew(login: BackfillRequest): Promise<AskOutcome | undefined> {
    const asked = await ask(login);
    if (asked.kind === 'refused') return { ...asked, of: 'key' };
    if (asked.kind === 'later') return asked;
    const text = textAt(asked.answer, 'access_token');
    if (text === undefined) return later(`${title} gave no token.`);
    const seconds = Number(textAt(asked.answer, 'expires_in') ?? 0);
    token = { text, until: now() + seconds * 1_000 - MINUTE_MS };
    return undefined;
  }

  return async (toRequest) => {
    const login = backfill.login?.(secrets);
    if (login === undefined) return ask(toRequest(secrets));
    const isFresh = token !== undefined && token.until > now();
    const fault = isFresh ? undefined : await renew(login);
    return fault ?? ask(toRequest({ ...secrets, apiKey: token?.text }));
  };
}

/** Whether a connection has what asking for history needs. */
export function canAsk(backfill: Backfill | undefined, secrets: ConnectionSecrets): boolean {
  if (backfill === undefined) return false;
  const hasKey = backfill.isKeySigningSecret ? secrets.signingSecrets.length > 0 : false;
  return hasKey || secrets.apiKey !== undefined || backfill.login?.(secrets) !== undefined;
}

/** Where a provider's API is for a connection. */
export function findApiUrl(backfill: Backfill, secrets: ConnectionSecrets): string | undefined {
  return secrets.settings.base_url ?? backfill.findBaseUrl(secrets);
}

/** An address below that of the API. A path may come from an event, and must not lead the key elsewhere. */
function findUrl(backfill: Backfill, secrets: ConnectionSecrets, path: string): URL | undefined {
  const base = URL.parse(findApiUrl(backfill, secrets) ?? '');
  const prefix = base?.pathname.replace(/\/$/, '');
  const url = path.startsWith('/') ? URL.parse(`${base?.origin}${prefix}${path}`) : null;
  return url?.origin === base?.origin ? (url ?? undefined) : undefined;
}

function judge(
  title: string,
  { status, headers, text }: Awaited<ReturnType<SendRequest>>,
  at: number,
): AskOutcome {
  const said = `${title} answered ${status}${excerptOf(text)}`;
  if (status === 401) {
    const remedy = 'The API key is wrong or was revoked: give the connection a new one.';
    return refused('key', said, remedy);
  }
  if (status === 403) {
    return refused('request', said, 'Allow the API key to read it, and ask for the history again.');
  }
  if (status === 429 || status >= 500)
    return later(said, readRetryAfter(headers['retry-after'], at));
  if (status < 200 || status > 299) return refused('request', said);
  const answer = parse(text);
  if (typeof answer === 'object' && answer !== null) return { kind: 'answer', answer };
  return later(`${title} answered with something other than JSON.`);
}

function parse(text: string): JsonValue | undefined {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}

const EXCERPT_LENGTH = 200;

/** What a provider says of an error, on one line. */
function excerptOf(text: string): string {
  const answer = parse(text);
  const ways = [['error', 'message'], ['message'], ['detail'], ['error', 'detail'], ['error']];
  const message = ways.map((way) => textAt(answer, ...way)).find((each) => each !== undefined);
  const shown = (message ?? '').replace(/\s+/g, ' ').trim().slice(0, EXCERPT_LENGTH);
  return shown === '' ? '.' : `: ${shown.replace(/\.?$/, '.')}`;
}

/** Seconds, or a date. */
function readRetryAfter(header: string | readonly string[] | undefined, at: number) {
  const text = String(header ?? '');
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - at;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), WAIT_MAX_MS);
}

function later(why: string, waitMs?: number): AskOutcome {
  return { kind: 'later', why, waitMs };
}

function refused(of: 'key' | 'request', said: string, remedy = ''): AskOutcome {
  return { kind: 'refused', of, said, why: `${said} ${remedy}`.trim() };
}
