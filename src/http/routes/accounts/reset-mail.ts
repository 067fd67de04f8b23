import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { type Mail, toResetMail } from '#accounts/mail.ts';
import { toEmail } from '#accounts/person.ts';
import { bodyErrors } from '#contract/error.ts';
import { Strict } from '#contract/query-fields.ts';
import { RefusedRequest } from '../../answers/errors.ts';
import { findOrigin } from '../../requests/find-origin.ts';
import { requireOwnOrigin } from '../../requests/people.ts';
import type { ServerDeps } from '../../server/server-deps.ts';
import type { Server } from '../../server/server-type.ts';
import { takesJson } from '../sites/site-request.ts';
import { takeTry } from './logins.ts';

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
const Done = Type.Object(
  { status: Type.Literal('success') },
  { description: 'If the address has a login, a mail is on its way.' },
);
const Body = Strict({ email: Type.String() });

/** `GET /api/sign-in-options`, and `POST /api/reset/request`: a reset link, by mail. */
export function addResetMailRoutes(server: Server, deps: ServerDeps): void {
  const { accounts, mailer, settings } = deps;

  server.route({
    method: 'GET',
    url: '/api/sign-in-options',
    schema: {
      operationId: 'signInOptions',
      summary: 'List the ways to sign in',
      tags: ['people'],
      response: { 200: Options },
    },
    handler() {
      const oidc = settings.oidc?.name ?? null;
      return { mail: mailer !== undefined, oidc, has_owner: accounts.hasOwner() };
    },
  });

  server.route({
    method: 'POST',
    url: '/api/reset/request',
    ...takesJson(requireOwnOrigin(accounts)),
    schema: {
      operationId: 'requestReset',
      summary: 'Request a reset link by mail',
      description: 'The response does not reveal whether the address has a login.',
      tags: ['people'],
      body: Body,
      response: { 200: Done, ...bodyErrors('not_found') },
    },
    handler(request) {
      if (mailer === undefined) {
        const message =
          'This server sends no mail. Ask its operator for a link: `npm run tributary -- admin link --email ADDRESS`.';
        throw new RefusedRequest('not_found', message);
      }
      const email = toEmail(request.body.email);
      takeTry(accounts, { account: `reset of ${email}`, ...findOrigin(request) });
      const token = email && accounts.makeResetLink(email);
      if (email !== undefined && token) {
        // Not awaited: the response time would reveal whether the address has a login.
        void isSent(deps, request, toResetMail(email, `${settings.baseUrl}/reset#${token}`));
      }
      return { status: 'success' as const };
    },
  });
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
