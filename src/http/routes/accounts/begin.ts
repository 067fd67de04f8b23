import Type from 'typebox';
import type { Refusal } from '#accounts/login-form.ts';
import { bodyErrors, errorAnswers } from '#contract/error.ts';
import { RefusedRequest, refuseFaults } from '../../answers/errors.ts';
import { BODY_MAX_BYTES, readJsonBody, requireJsonType } from '../../requests/body.ts';
import { requireOwnOrigin } from '../../requests/people.ts';
import type { ServerDeps } from '../../server/server-deps.ts';
import type { Server } from '../../server/server-type.ts';
import { signIn } from './logins.ts';

const Done = Type.Object({ status: Type.Literal('success') }, { description: 'It is done.' });
const DONE = { status: 'success' } as const;
const Token = Type.String({ maxLength: 100, description: 'What stands behind the link’s `#`.' });
/** Checked by the room of people: a limit here would say less. */
const Password = Type.String();

const StartBody = Type.Object(
  { token: Token, name: Type.String(), email: Type.String(), password: Password },
  { additionalProperties: false },
);
const ResetBody = Type.Object(
  { token: Token, password: Password },
  { additionalProperties: false },
);

/** `GET` and `POST /api/start`: the first link. `POST /api/reset`: a new password by a link. */
export function addBeginRoutes(server: Server, { accounts }: ServerDeps): void {
  const fromHere = requireOwnOrigin(accounts);
  const tags = ['people'];
  const takesJson = {
    bodyLimit: BODY_MAX_BYTES,
    onRequest: [fromHere, requireJsonType({ beacons: false })],
    preValidation: readJsonBody(),
  };

  server.route({
    method: 'GET',
    url: '/api/start',
    schema: {
      operationId: 'canStart',
      summary: 'Whether the server waits for its owner',
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
    ...takesJson,
    schema: {
      operationId: 'start',
      summary: 'Become the owner, by the link that a start prints',
      description: 'Signs in, too. The link works once, and for an hour.',
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
    ...takesJson,
    schema: {
      operationId: 'resetPassword',
      summary: 'Set a new password, by a link',
      description: 'Ends every session of the person. The link works once, and for an hour.',
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
  return new RefusedRequest('not_found', 'This server has its owner.');
}

/** The refusal of a link or a login. */
export function toRefused({ field, message }: Refusal): RefusedRequest {
  return refuseFaults([{ path: `/${field}`, message }]);
}
