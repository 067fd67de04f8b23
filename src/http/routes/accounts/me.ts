import Type from 'typebox';
import { ROLES } from '#accounts/person.ts';
import { bodyErrors, errorAnswers, readErrors } from '#contract/error.ts';
import { personOf, requirePerson } from '../../requests/people.ts';
import type { ServerDeps } from '../../server/server-deps.ts';
import type { Server } from '../../server/server-type.ts';
import { byPeople, takesJson } from '../sites/site-request.ts';
import { toRefused } from './begin.ts';
import { staySignedIn, takePersonsTry } from './logins.ts';

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

const Change = Type.Object({ name: Type.String() }, { additionalProperties: false });
const Changed = Type.Object({ name: Type.String() }, { description: 'The name as stored.' });

const NewEmail = Type.Object(
  {
    email: Type.String(),
    password: Type.String({ description: 'The person’s current password.' }),
  },
  { additionalProperties: false },
);
const ChangedEmail = Type.Object(
  { email: Type.String() },
  { description: 'The address as stored.' },
);

/** `GET /api/v1/me`: the signed-in person. `PATCH`: their name. `PUT /api/v1/me/email`: their address. */
export function addMeRoute(server: Server, { accounts, siteStore }: ServerDeps): void {
  server.route({
    method: 'GET',
    url: '/api/v1/me',
    onRequest: requirePerson(accounts),
    schema: byPeople('me', 'Get the signed-in person and their sites', {
      response: { 200: Answer, ...readErrors() },
    }),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store');
      const person = personOf(request);
      if (person.isSessionDue) await staySignedIn(accounts, request, reply);
      const { id, name, email, isOwner, twoFactor } = person;
      const sites = siteStore.listSites().flatMap(({ domain, timezone, currency, ...site }) => {
        const role = accounts.findRole(person, site.id);
        const shown = { id: site.id, domain, name: site.name || domain, timezone, currency };
        return role === undefined ? [] : [{ ...shown, role }];
      });
      return { user: { id, name, email, is_owner: isOwner, two_factor: twoFactor }, sites };
    },
  });
  server.route({
    method: 'PATCH',
    url: '/api/v1/me',
    ...takesJson(requirePerson(accounts)),
    schema: byPeople('rename', 'Change your name', {
      body: Change,
      response: { 200: Changed, ...bodyErrors() },
    }),
    handler(request) {
      const renamed = accounts.rename(personOf(request), request.body.name);
      if (!renamed.ok) throw toRefused(renamed.error);
      return { name: renamed.value };
    },
  });
  server.route({
    method: 'PUT',
    url: '/api/v1/me/email',
    ...takesJson(requirePerson(accounts)),
    schema: byPeople('changeEmail', 'Change the e-mail address that you sign in with', {
      body: NewEmail,
      response: { 200: ChangedEmail, ...bodyErrors(), ...errorAnswers('rate_limited') },
    }),
    async handler(request, reply) {
      const { email, password } = request.body;
      const succeeded = takePersonsTry(accounts, request);
      const changed = await accounts.changeEmail(personOf(request), email, password);
      if (!changed.ok) throw toRefused(changed.error);
      succeeded();
      reply.header('set-cookie', accounts.knownBrowsers.remember(changed.value));
      return { email: changed.value };
    },
  });
}
