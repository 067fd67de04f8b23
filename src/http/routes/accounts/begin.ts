import Type from 'typebox';
import type { Refusal } from '#accounts/login-form.ts';
import { bodyErrors, errorAnswers } from '#contract/error.ts';
import { Strict } from '#contract/query-fields.ts';
import { RefusedRequest, refuseFaults } from '../../answers/errors.ts';
import { requireOwnOrigin } from '../../requests/people.ts';
import type { ServerDeps } from '../../server/server-deps.ts';
import type { Server } from '../../server/server-type.ts';
import { takesJson } from '../sites/site-request.ts';
import { signIn } from './logins.ts';

const Done = Type.Object({ status: Type.Literal('success') }, { description: 'Success.' });
const DONE = { status: 'success' } as const;
const Token = Type.String({ maxLength: 100, description: 'The part of the link after `#`.' });
/** Not limited here: the check in `src/accounts` gives a better message. */
const Password = Type.String();

const StartBody = Strict({
  token: Token,
  name: Type.String(),
  email: Type.String(),
  password: Password,
});
const ResetBody = Strict({ token: Token, password: Password });

/** `GET` and `POST /api/start`: the first login. `POST /api/reset`: a new password, by a link. */
export function addBeginRoutes(server: Server, { accounts }: ServerDeps): void {
  const fromHere = requireOwnOrigin(accounts);
  const tags = ['people'];

  server.route({
    method: 'GET',
    url: '/api/start',
    schema: {
      operationId: 'canStart',
      summary: 'Check whether the server still has no owner',
      tags,
      response: { 200: Done, ...errorAnswers('not_found') },
    },
    handler() {
      if (accounts.hasOwner()) throw isOver();
      return DONE;
    },
  });

  server.route({
    method: 'POST',
    url: '/api/start',
    ...takesJson(fromHere),
    schema: {
      operationId: 'start',
      summary: 'Create the owner’s login with the link printed at start',
      description: 'Also signs in. The link works once, within an hour.',
      tags,
      body: StartBody,
      response: { 200: Done, ...bodyErrors('not_found') },
    },
    async handler(request, reply) {
      if (accounts.hasOwner()) throw isOver();
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
    schema: {
      operationId: 'resetPassword',
      summary: 'Set a new password with a reset link',
      description: 'Signs the person out everywhere. The link works once, within an hour.',
      tags,
      body: ResetBody,
      response: { 200: Done, ...bodyErrors() },
    },
    async handler({ body: { token, password } }) {
      const reset = await accounts.reset(token, password);
      if (!reset.ok) throw toRefused(reset.error);
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
