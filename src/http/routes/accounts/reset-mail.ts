import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { type Mail, toResetMail } from '#accounts/mail.ts';
import { toEmail } from '#accounts/person.ts';
import { bodyErrors } from '#contract/error.ts';
import { RefusedRequest } from '../../answers/errors.ts';
import { requireOwnOrigin } from '../../requests/people.ts';
import { toNetwork } from '../../requests/to-network.ts';
import type { ServerDeps } from '../../server/server-deps.ts';
import type { Server } from '../../server/server-type.ts';
import { takesJson } from '../sites/site-request.ts';
import { tooManyTries } from './logins.ts';

const Options = Type.Object(
  {
    mail: Type.Boolean({ description: 'Whether a new password can be asked for by mail.' }),
    oidc: Type.Union([Type.String(), Type.Null()], {
      description: 'What the identity provider is called, where there is one.',
    }),
  },
  { description: 'What the page to sign in offers.' },
);
const Done = Type.Object(
  { status: Type.Literal('success') },
  { description: 'If somebody has the address, a mail is on its way.' },
);
const Body = Type.Object({ email: Type.String() }, { additionalProperties: false });

/** `GET /api/sign-in-options`, and `POST /api/reset/request`: a new password, by mail. */
export function addResetMailRoutes(server: Server, deps: ServerDeps): void {
  const { accounts, mailer, settings } = deps;

  server.route({
    method: 'GET',
    url: '/api/sign-in-options',
    schema: {
      operationId: 'signInOptions',
      summary: 'What the page to sign in offers',
      tags: ['people'],
      response: { 200: Options },
    },
    handler: () => ({ mail: mailer !== undefined, oidc: settings.oidc?.name ?? null }),
  });

  server.route({
    method: 'POST',
    url: '/api/reset/request',
    ...takesJson(requireOwnOrigin(accounts)),
    schema: {
      operationId: 'requestReset',
      summary: 'Ask for a link by mail that sets a new password',
      description: 'The answer is the same whether somebody has the address or not.',
      tags: ['people'],
      body: Body,
      response: { 200: Done, ...bodyErrors('not_found') },
    },
    handler(request) {
      if (mailer === undefined) {
        const message = 'No mail is sent here: who runs the server makes a link by `admin link`.';
        throw new RefusedRequest('not_found', message);
      }
      const email = toEmail(request.body.email);
      const account = `reset of ${email}`;
      const waitMs = accounts.signInLimit.take({ account, network: toNetwork(request.ip) });
      if (waitMs > 0) throw tooManyTries(waitMs);
      const token = email && accounts.makeResetLink(email);
      if (email !== undefined && token) {
        // Nobody waits for it: the time that it takes would show who has a login.
        void isSent(deps, request, toResetMail(email, `${settings.baseUrl}/reset#${token}`));
      }
      return { status: 'success' as const };
    },
  });
}

/** Whether a mail server has taken the mail; why it did not is in the log. */
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
    // Not the whole error: it may name the address.
    request.log.warn({ reason: (error as { code?: string }).code }, 'A mail could not be sent.');
    return false;
  }
}
