import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorType } from '#contract/error.ts';
import { findPasswordFault } from '#domain/account/login-form.ts';
import { ANYWHERE, KNOWN_BROWSER, type SignInTry } from '#domain/account/sign-in-try.ts';
import { toEmail, type User } from '#domain/account/user.ts';
import type { ProxyWatch } from '#server/connections/proxy-watch.ts';
import { RefusedRequest, refuseFaults, refuseForNow } from '#server/errors/errors.ts';
import { readJson } from '#server/requests/read-json.ts';
import type { Server } from '#server/server-type.ts';
import { findOrigin } from '../access/find-origin.ts';
import { requireOwnOrigin, userOf } from '../access/users.ts';
import type { UserAccounts } from '../ports.ts';

/** The exposed endpoints of better-auth. All others answer 404. */
const OPEN: ReadonlySet<string> = new Set([
  'GET get-session',
  'GET list-sessions',
  'POST sign-in/email',
  'POST sign-out',
  'POST change-password',
  'POST revoke-session',
  'POST revoke-other-sessions',
  'POST two-factor/enable',
  'POST two-factor/disable',
  'POST two-factor/get-totp-uri',
  'POST two-factor/verify-totp',
  'POST two-factor/verify-backup-code',
  'POST two-factor/generate-backup-codes',
]);

const SIGN_IN_PATH = 'sign-in/email';
const CODE_PATH = 'two-factor/verify-totp';
const RECOVERY_PATH = 'two-factor/verify-backup-code';

/** Endpoints that an attacker could use to guess a password or a code. */
const GUESSING = /^(sign-in\/email|two-factor\/.*|change-password)$/;

type Fields = Readonly<Record<string, unknown>>;

const BODY_MAX_BYTES = 16 * 1024;
const PREFIX = '/api/auth/';

type LoginDeps = {
  readonly accounts: UserAccounts;
  readonly proxies: Pick<ProxyWatch, 'noteSignIn'>;
};

/** `/api/auth/…`: signing in and out, passwords, two-factor authentication, sessions. */
export function addLoginRoutes(server: Server, deps: LoginDeps): void {
  const { accounts } = deps;
  server.route({
    method: ['GET', 'POST'],
    url: `${PREFIX}*`,
    exposeHeadRoute: false,
    bodyLimit: BODY_MAX_BYTES,
    schema: { hide: true },
    onRequest: requireOwnOrigin(accounts),
    async handler(request, reply) {
      const path = (request.params as { readonly '*': string })['*'];
      if (!OPEN.has(`${request.method} ${path}`)) {
        throw new RefusedRequest('not_found', 'There is nothing at this path.');
      }
      const body = request.method === 'POST' ? readObject(request) : undefined;
      const fault = path === 'change-password' && findPasswordFault(`${body?.newPassword}`);
      if (fault) throw refuseFaults([{ path: '/newPassword', message: fault.message }]);
      const inner = toInner(request, accounts.origin, path, body);
      const before = await accounts.findUser(request.headers.cookie);
      const answer = GUESSING.test(path)
        ? await guess(deps, request, reply, { path, body, inner, before })
        : await accounts.handleLogin(inner);
      const what = path === CODE_PATH && before?.twoFactor ? undefined : CHANGES[path];
      const isChange = before && what && answer.ok;
      if (isChange) await accounts.audit.note(before, { siteId: '', about: '', what });
      return sendAnswer(reply, answer);
    },
  });
}

/** Signs in a user who has just set their password. */
export async function signIn(
  accounts: Pick<UserAccounts, 'origin' | 'handleLogin' | 'knownBrowsers'>,
  request: FastifyRequest,
  reply: FastifyReply,
  login: { readonly email: string; readonly password: string },
): Promise<void> {
  const inner = toInner(request, accounts.origin, SIGN_IN_PATH, login);
  reply.header('set-cookie', accounts.knownBrowsers.remember(toEmail(login.email) ?? ''));
  copyCookies(reply, await accounts.handleLogin(inner));
}

/** Extends a session and its cookie. Called when that is due: once a day. */
export async function staySignedIn(
  accounts: UserAccounts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  copyCookies(reply, await accounts.handleLogin(toInner(request, accounts.origin, 'get-session')));
}

/** Passes on an attempt, which counts as failed until it yields a session. */
async function guess(
  { accounts, proxies }: LoginDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { path, body = {}, inner, before }: Guess,
): Promise<Response> {
  const isSignIn = path === SIGN_IN_PATH;
  const known = before?.email ?? (await accounts.findChallenged(request.headers.cookie));
  const email = isSignIn ? toEmail(`${body.email}`) : known;
  const what = isSignIn || before === undefined ? SIGN_INS[path] : undefined;
  // Nobody guesses a recovery code: who has one never waits for those who guess the others.
  const tried = path === RECOVERY_PATH ? undefined : email;
  const password = `${body.password ?? body.currentPassword ?? body.code}`;
  const attempt = { ...toTry(accounts, request, tried, path === CODE_PATH), password };
  takeTry(accounts, attempt);
  const answer = await accounts.handleLogin(inner);
  if (!answer.ok) {
    if (what) await accounts.audit.noteFailure(email);
    return answer;
  }
  if (isSignIn) proxies.noteSignIn(request);
  const said = (await answer.clone().json()) as LoginAnswer;
  if (said?.twoFactorRedirect === true) return answer; // The password was right; a code comes next.
  accounts.signInLimit.succeeded(attempt);
  const { id = '', email: signedIn } = said?.user ?? {};
  if (signedIn !== undefined) {
    if (what) await accounts.audit.note({ id, email: signedIn }, { siteId: '', about: '', what });
    accounts.signInLimit.succeeded(toTry(accounts, request, signedIn));
    reply.header('set-cookie', accounts.knownBrowsers.remember(signedIn));
  }
  return answer;
}

type Guess = Readonly<{
  path: string;
  body: Fields | undefined;
  inner: Request;
  before: User | undefined;
}>;

/** What is noted of them; the codes also confirm a second factor of who is signed in already. */
const SIGN_INS: Readonly<Record<string, string>> = {
  [SIGN_IN_PATH]: 'signed in with a password',
  [CODE_PATH]: 'signed in with a password and a code',
  [RECOVERY_PATH]: 'signed in with a password and a recovery code',
};

/** What is noted of the others when somebody signed in has made them. */
const CHANGES: Readonly<Record<string, string>> = {
  'change-password': 'password changed',
  'revoke-session': 'session ended',
  'revoke-other-sessions': 'all other sessions ended',
  [CODE_PATH]: 'two-factor authentication turned on',
  'two-factor/disable': 'two-factor authentication turned off',
  'two-factor/generate-backup-codes': 'recovery codes made',
};

type LoginAnswer = {
  readonly twoFactorRedirect?: boolean;
  readonly user?: { readonly id?: string; readonly email?: string };
} | null;

/** Counts an attempt. Refuses it if it came too early. */
export function takeTry(of: Pick<UserAccounts, 'signInLimit'>, attempt: SignInTry): void {
  const waitMs = of.signInLimit.take(attempt);
  if (waitMs > 0) throw refuseForNow('Too many attempts.', waitMs);
}

/** Counts an attempt of a signed-in user to give their password. Call what it returns if the password was right. */
export function takeOwnTry(accounts: UserAccounts, request: FastifyRequest): () => void {
  const { password } = request.body as Fields;
  const attempt = { ...toTry(accounts, request, userOf(request).email), password: `${password}` };
  takeTry(accounts, attempt);
  return () => accounts.signInLimit.succeeded(attempt);
}

/** What an attempt is counted by. Codes are few, so those at one account count together, wherever they come from. */
function toTry(accounts: UserAccounts, request: FastifyRequest, email = '', isCode = false) {
  const isKnown = accounts.knownBrowsers.isKnown(request.headers.cookie, email);
  const from = isCode && email !== '' ? ANYWHERE : findOrigin(request);
  return { account: isCode ? `codes of ${email}` : email, ...(isKnown ? KNOWN_BROWSER : from) };
}

/** The fields of a JSON body. Forms on other sites cannot send this content type. */
function readObject({ body, headers }: FastifyRequest): Fields {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  if (bytes.length === 0) return {};
  if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) {
    throw new RefusedRequest(
      'unsupported_media_type',
      'The Content-Type must be application/json.',
    );
  }
  const { value } = readJson(bytes);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Fields) : {};
}

/** Builds the request for better-auth: from its own origin, with cookies and user agent only. */
export function toInner(
  { method, headers }: Pick<FastifyRequest, 'method' | 'headers'>,
  origin: string,
  path: string,
  body?: Fields,
): Request {
  const { cookie = '', 'user-agent': agent = '' } = headers;
  // The reason for a new password may be that somebody else knows the old one.
  const sent = path === 'change-password' ? { ...body, revokeOtherSessions: true } : body;
  return new Request(`${origin}${PREFIX}${path}`, {
    method: body === undefined ? method : 'POST',
    headers: { origin, cookie, 'user-agent': agent, 'content-type': 'application/json' },
    ...(sent && { body: JSON.stringify(sent) }),
  });
}

const ERROR_BY_STATUS: Readonly<Record<number, ErrorType>> = {
  400: 'invalid_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'unauthorized', // A recovery code that was used at the same time.
  429: 'rate_limited',
};

/** Sends better-auth's response; failures in our error format. */
export async function sendAnswer(reply: FastifyReply, answer: Response): Promise<FastifyReply> {
  copyCookies(reply, answer);
  const text = await answer.text();
  if (answer.status >= 400) {
    const { message = 'The request failed.' } = (JSON.parse(text || '{}') ?? {}) as {
      readonly message?: string;
    };
    throw new RefusedRequest(ERROR_BY_STATUS[answer.status] ?? 'internal', message);
  }
  const location = answer.headers.get('location');
  if (location !== null) reply.header('location', location);
  return reply
    .code(answer.status)
    .header('content-type', answer.headers.get('content-type') ?? 'application/json')
    .send(text);
}

/** Copies better-auth's cookies to the reply. */
export function copyCookies(reply: FastifyReply, { headers }: Response): void {
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) reply.header('set-cookie', cookies);
}
