import Type, { type Static } from 'typebox';
import { readErrors } from '#contract/error.ts';
import { RefusedRequest } from '../../answers/errors.ts';
import { personOf, requirePerson } from '../../requests/people.ts';
import type { ReadDeps } from '../../server/server-deps.ts';
import type { Server } from '../../server/server-type.ts';
import { byPeople } from './site-request.ts';

const Examination = Type.Object(
  {
    healthy: Type.Boolean(),
    findings: Type.Array(
      Type.Object({
        check: Type.String(),
        ok: Type.Boolean(),
        found: Type.String(),
        advice: Type.Optional(Type.String({ description: 'How to fix it, if the check failed.' })),
      }),
    ),
  },
  { description: 'The checks and their findings.' },
);

/** `GET /api/v1/doctor`: the findings of the command `doctor`, for the owner of the server. */
export function addDoctorRoute(
  server: Server,
  { accounts, askDoctor, limitReads }: ReadDeps,
): void {
  server.route({
    method: 'GET',
    url: '/api/v1/doctor',
    onRequest: [requirePerson(accounts), ...limitReads],
    schema: byPeople('examineServer', 'Check the server’s disk, stores and settings', {
      description: 'Runs the checks of `tributary doctor`, which takes a few seconds.',
      response: { 200: Examination, ...readErrors() },
    }),
    async handler(request) {
      if (!personOf(request).isOwner) {
        throw new RefusedRequest('forbidden', 'Only the owner of the server may do this.');
      }
      return (await askDoctor()) as Static<typeof Examination>;
    },
  });
}
