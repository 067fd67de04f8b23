import Type from 'typebox';
import { ROLES } from '#accounts/person.ts';
import { readErrors } from '#contract/error.ts';
import { personOf, requirePerson } from '../../requests/people.ts';
import type { ServerDeps } from '../../server/server-deps.ts';
import type { Server } from '../../server/server-type.ts';
import { staySignedIn } from './logins.ts';

const Answer = Type.Object(
  {
    user: Type.Object({
      id: Type.String(),
      name: Type.String(),
      email: Type.String(),
      is_owner: Type.Boolean({
        description:
          'Whether the person owns the server: has access to every site and can add sites.',
      }),
      two_factor: Type.Boolean(),
    }),
    sites: Type.Array(
      Type.Object({
        id: Type.String(),
        domain: Type.String(),
        name: Type.String({ description: 'The display name; the domain if there is none.' }),
        timezone: Type.String(),
        currency: Type.String(),
        role: Type.Enum([...ROLES]),
      }),
    ),
  },
  { description: 'The person, and the sites they have access to.' },
);

/** `GET /api/v1/me`: the signed-in person. */
export function addMeRoute(server: Server, { accounts, siteStore }: ServerDeps): void {
  server.route({
    method: 'GET',
    url: '/api/v1/me',
    onRequest: requirePerson(accounts),
    schema: {
      operationId: 'me',
      summary: 'Get the signed-in person and their sites',
      tags: ['people'],
      security: [{ session: [] }],
      response: { 200: Answer, ...readErrors() },
    },
    async handler(request, reply) {
      reply.header('cache-control', 'no-store');
      const person = personOf(request);
      if (person.isSessionDue) await staySignedIn(accounts, request, reply);
      const { id, name, email, isOwner, twoFactor } = person;
      const sites = siteStore.listSites().flatMap((site) => {
        const role = accounts.findRole(person, site.id);
        if (role === undefined) return [];
        const { timezone, currency, domain } = site;
        return [{ id: site.id, domain, name: site.name || domain, timezone, currency, role }];
      });
      return { user: { id, name, email, is_owner: isOwner, two_factor: twoFactor }, sites };
    },
  });
}
