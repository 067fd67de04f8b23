import Type, { type Static } from 'typebox';
import { readErrors } from '#contract/error.ts';
import type { ReadDeps } from '../../server/server-deps.ts';
import type { Server } from '../../server/server-type.ts';
import { byPeople, requireOwner } from './site-request.ts';

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
export function addDoctorRoute(server: Server, deps: ReadDeps): void {
  server.route({
    method: 'GET',
    url: '/api/v1/doctor',
    onRequest: [requireOwner(deps), ...deps.limitReads],
    schema: byPeople('examineServer', 'Check the server’s disk, stores and settings', {
      description: 'Runs the checks of `tributary doctor`, which takes a few seconds.',
      response: { 200: Examination, ...readErrors() },
    }),
    handler: async () => (await deps.askDoctor()) as Static<typeof Examination>,
  });
}
