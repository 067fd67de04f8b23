import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Refusal } from '#accounts/login-form.ts';
import { type Mail, toResetMail } from '#accounts/mail.ts';
import type { Accounts } from '#accounts/open-accounts.ts';
import { toEmail } from '#accounts/person.ts';
import { bodyErrors, errorAnswers } from '#contract/error.ts';
import { Strict } from '#contract/query-fields.ts';
import { RefusedRequest, refuseFaults, refuseForNow } from '../../answers/errors.ts';
import { findOrigin } from '../../requests/find-origin.ts';
import { requireOwnOrigin } from '../../requests/people.ts';
import type { ServerDeps } from '../../server/server-deps.ts';
import type { Server } from '../../server/server-type.ts';
import { byAnybody, DONE, Done, takesJson } from '../sites/site-request.ts';
import { signIn, takeTry } from './logins.ts';

/** The token of a link. */
export const Token = Type.String({ maxLength: 100, description: 'The link’s part after `#`.' });
/** Not limited here: the check in `src/accounts` gives a better message. */
const Password = Type.String();

const StartBody = Strict({
  token: Token,
  name: Type.String(),
  email: Type.String(),
  password: Password,
});
const ResetBody = Strict({ token: Token, password: Password });
const RequestBody = Strict({ email: Type.String() });

const Options = Type.Object(
  {
    mail: Type.Boolean({ description: 'Whether passwords can be reset by mail.' }),
    oidc: Type.Union([Type.String(), Type.Null()], {
      description: 'The name of the identity provider, if there is one.',
    }),
    has_owner: Type.Boolean({ description: 'Without an owner, nobody can sign in yet.' }),
  },
  { description: 'The ways to sign in.' },
);
/** `/api/start`: the first login. `/api/sign-in-options`. `/api/reset`: a new password, by a link that may be mailed. */
export function addBeginRoutes(server: Server, deps: ServerDeps): void {
  const { accounts, mailer, settings } = deps;
  const fromHere = requireOwnOrigin(accounts);

  server.route({
    method: 'GET',
    url: '/api/start',
    schema: byAnybody('canStart', 'Check whether the server still has no owner', {
      response: { 200: Done, ...errorAnswers('not_found') },
    }),
    async handler() {
      if (await accounts.hasOwner()) throw isOver();
      return DONE;
    },
  });

  server.route({
    method: 'POST',
    url: '/api/start',
    ...takesJson(fromHere),
    schema: byAnybody('start', 'Create the owner’s login with the link printed at start', {
      description: 'Also signs in. The link works once, within an hour.',
      body: StartBody,
      response: { 200: Done, ...bodyErrors('not_found') },
    }),
    async handler(request, reply) {
      if (await accounts.hasOwner()) throw isOver();
      const { token, ...login } = request.body;
      const started = await accounts.start(token, login);
      if (!started.ok) throw toRefused(started.error);
      await signIn(accounts, request, reply, login);
      return DONE;
    },
  });

  server.route({
    method: 'POST',
    url: '/api/reset',
    ...takesJson(fromHere),
    schema: byAnybody('resetPassword', 'Set a new password with a reset link', {
      description: 'Signs the person out everywhere. The link works once, within an hour.',
      body: ResetBody,
      response: { 200: Done, ...bodyErrors() },
    }),
    async handler({ body: { token, password } }) {
      const reset = await accounts.reset(token, password);
      if (!reset.ok) throw toRefused(reset.error);
      return DONE;
    },
  });

  server.route({
    method: 'GET',
    url: '/api/sign-in-options',
    schema: byAnybody('signInOptions', 'List the ways to sign in', { response: { 200: Options } }),
    async handler() {
      const oidc = settings.oidc?.name ?? null;
      return { mail: mailer !== undefined, oidc, has_owner: await accounts.hasOwner() };
    },
  });

  server.route({
    method: 'POST',
    url: '/api/reset/request',
    ...takesJson(fromHere),
    schema: byAnybody('requestReset', 'Request a reset link by mail', {
      description: 'The response does not reveal whether the address has a login.',
      body: RequestBody,
      response: { 200: Done, ...bodyErrors('not_found') },
    }),
    async handler(request) {
      if (mailer === undefined) {
        const message =
          'This server sends no mail. Ask its operator for a link: `npm run tributary -- admin link --email ADDRESS`.';
        throw new RefusedRequest('not_found', message);
      }
      const email = toEmail(request.body.email);
      takeTry(accounts, { account: `reset of ${email}`, ...findOrigin(request) });
      const token = await accounts.makeResetLink(request.body.email);
      if (email !== undefined && token !== undefined && accounts.takeMail(email, email) === 0) {
        const mail = toResetMail(email, `${settings.baseUrl}/reset#${token}`);
        setImmediate(() => void isSent(deps, request, mail)); // After the answer, whose time tells nothing then.
      }
      return DONE;
    },
  });
}

function isOver(): RefusedRequest {
  return new RefusedRequest('not_found', 'This server already has an owner.');
}

/** Maps a refused link or login to an HTTP error. */
export function toRefused({ field, message }: Refusal): RefusedRequest {
  return refuseFaults([{ path: `/${field}`, message }]);
}

/** Counts a mail that a person has sent. Refuses it if it is one too many. */
export function assertMayMail({ takeMail }: Accounts, to: string, by: string): void {
  const waitMs = takeMail(to, by);
  if (waitMs > 0) throw refuseForNow('Too many mails.', waitMs);
}

/** Sends a mail. Returns whether the mail server accepted it; a failure is logged. */
export async function isSent(
  { mailer }: ServerDeps,
  request: FastifyRequest,
  mail: Mail,
): Promise<boolean> {
  if (mailer === undefined) return false;
  try {
    await mailer.send(mail);
    return true;
  } catch (error) {
    // Only the error's code, because its message may contain the address.
    request.log.warn({ reason: (error as { code?: string }).code }, 'A mail could not be sent.');
    return false;
  }
}
