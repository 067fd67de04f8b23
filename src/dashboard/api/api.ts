import type { QueryState } from '@tanstack/react-query';
import type { ErrorAnswer } from '#contract/error.ts';
import { TOO_SLOW } from '#domain/refused-query.ts';
import { nameTurns, restoreTurns } from '../address/name-turns.ts';
import { toSentence } from '../ui/faults.ts';

/** What a dashboard request may specify besides its path. */
type RequestOptions = {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** The site in question: its id or domain. */
  readonly site?: string | undefined;
  readonly body?: unknown;
  readonly accept?: string;
  readonly signal?: AbortSignal;
  /** The last stream event received: resumes after it. */
  readonly lastId?: string;
};

/** Why a request failed, in plain words. */
export class ApiError extends Error {
  readonly status: number;
  readonly type: string;
  readonly details: ErrorAnswer['error']['details'];

  constructor(status: number, error: Partial<ErrorAnswer['error']>) {
    const faults = (error.details ?? []).map(toFaultSentence).join(' ');
    super(faults || (error.message ?? `The server answered ${status}.`));
    this.status = status;
    this.type = error.type ?? 'internal';
    this.details = error.details ?? [];
  }

  /** Whether the user has to sign in (again). */
  get isSignedOut(): boolean {
    return this.status === 401;
  }

  /** Whether a retry may soon succeed. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status === 503;
  }

  /** Whether a query ran out of time: on a busy server, it may have enough the next time. */
  get isTooSlow(): boolean {
    return this.details.some(({ message }) => message.startsWith(TOO_SLOW));
  }
}

/** How often the figures on screen are refetched. */
export const REFRESH_MS = 60_000;
const [SOON_MS, SOON_MAX] = [10_000, 3];

/** How many errors each query had had when it was last answered: the library counts those of its whole life. */
const errorsBefore = new WeakMap<object, number>();

type Asked = { readonly state: Pick<QueryState, 'error' | 'status' | 'errorUpdateCount'> };

/** When to ask again by itself: soon, a few times in a row, for what was too slow. Its panel has a button meanwhile. */
export function refreshAfter(query: Asked): number {
  const { error, status, errorUpdateCount } = query.state;
  if (status === 'success') errorsBefore.set(query, errorUpdateCount);
  const errors = errorUpdateCount - (errorsBefore.get(query) ?? 0);
  const isSoon = error instanceof ApiError && error.isTooSlow && errors <= SOON_MAX;
  return isSoon ? SOON_MS : REFRESH_MS;
}

/** Without the API's `The request is invalid at …`, which says nothing to those who filled in a form. */
function toFaultSentence({ path, message }: ApiError['details'][number]): string {
  const field = path.slice(1).replace(/[/_]/g, ' ');
  return toSentence(message, field.charAt(0).toUpperCase() + field.slice(1));
}

/**
 * Sends a request to the API and resolves with the JSON it returns.
 *
 * - Throws an {@link ApiError} on any failure, with status 0 when the server is unreachable.
 */
export async function request<Answer>(path: string, options: RequestOptions = {}): Promise<Answer> {
  const response = await send(path, options);
  const text = nameTurns(await response.text());
  return (text === '' ? undefined : JSON.parse(text)) as Answer;
}

/** Like {@link request}, for files. */
export async function requestFile(path: string, options: RequestOptions = {}): Promise<Blob> {
  return (await send(path, options)).blob();
}

let whenSignedOut: () => void = () => {};

/** Sets what to do when a request finds that the session has ended. */
export function onSignedOut(listener: () => void): void {
  whenSignedOut = listener;
}

/** The same, for streamed responses. */
export async function send(path: string, options: RequestOptions): Promise<Response> {
  const { method, site, body, accept, signal, lastId } = options;
  const response = await fetch(restoreTurns(path), {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      accept: accept ?? 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(site !== undefined && { 'x-site-id': site }),
      ...(lastId !== undefined && { 'last-event-id': lastId }),
      ...shareHeaders(),
    },
    ...(body !== undefined && { body: restoreTurns(JSON.stringify(body)) }),
    ...(signal !== undefined && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw new ApiError(0, {
      message:
        'The server cannot be reached. Check your connection; this page retries automatically.',
    });
  });
  // Asking who is signed in is how the listener finds out.
  const isAskingWho = path === '/api/v1/me' && method === undefined;
  if (response.status === 401 && !isAskingWho) whenSignedOut();
  if (!response.ok) throw new ApiError(response.status, await readError(response));
  return response;
}

async function readError(response: Response): Promise<Partial<ErrorAnswer['error']>> {
  try {
    const { error, message } = (await response.json()) as Partial<ErrorAnswer> & {
      message?: string;
    };
    return error ?? (message === undefined ? {} : { message });
  } catch {
    return {};
  }
}

/** Viewers of a shared link send its token instead. */
function shareHeaders(): Readonly<Record<string, string>> {
  const credential = shareCredential();
  return credential === undefined ? {} : { 'x-share-token': credential };
}

/** What a shared link's requests carry: the token from its URL, or what its password unlocked. */
let opened: string | undefined;

const KEY = 'share';

/** The credential of the page's shared link; undefined on other pages. */
function shareCredential(): string | undefined {
  const [, token] = /^\/share\/([\w-]+)/.exec(location.pathname) ?? [];
  if (token === undefined) return undefined;
  const kept = opened ?? stored((storage) => storage.getItem(KEY)) ?? '';
  return kept.startsWith(`${token}.`) ? kept : token;
}

/** Stores, per tab, what a password unlocked. */
export function keepShareCredential(credential: string): void {
  opened = credential;
  stored((storage) => storage.setItem(KEY, credential));
}

/** Frames in third-party pages may lack storage. */
function stored<Value>(use: (storage: Storage) => Value): Value | undefined {
  try {
    return use(sessionStorage);
  } catch {
    return undefined;
  }
}
