import Type from 'typebox';
import { ROLES } from '#accounts/person.ts';
import { bodyErrors, readErrors } from '#contract/error.ts';
import { personOf, requirePerson } from '../../requests/people.ts';
import type { ServerDeps } from '../../server/server-deps.ts';
import type { Server } from '../../server/server-type.ts';
import { byPeople, takesJson } from '../sites/site-request.ts';
import { toRefused } from './begin.ts';
import { staySignedIn, takeOwnTry } from './logins.ts';

const Answer = Type.Object(
  {
    user: Type.Object({
      id: Type.String(),
      name: Type.String(),
      email: Type.String(),
      is_owner: Type.Boolean({ description: 'Owns the server: every site, and may add sites.' }),
      two_factor: Type.Boolean(),
    }),
    sites: Type.Array(
      Type.Object({
        id: Type.String(),
        domain: Type.String(),
        name: Type.String({ description: 'The display name; the domain if there is none.' }),
        timezone: Type.String(),
        currency: Type.String(),
        has_payments: Type.Boolean({ description: 'Whether any payment was ever reported.' }),
        role: Type.Enum([...ROLES]),
      }),
    ),
  },
  { description: 'The person, and the sites they have access to.' },
);

const fields = { name: Type.String(), email: Type.String() };
const Changed = Type.Object(fields, { description: 'Both as stored.' });
const password = Type.String({ description: 'The current one: a new e-mail address needs it.' });
const known = { additionalProperties: false };
const Change = Type.Partial(Type.Object({ ...fields, password }), known);

/** `GET /api/v1/me`: the signed-in person. `PATCH`: their name and the address they sign in with. */
export function addMeRoute(server: Server, { accounts, siteStore }: ServerDeps): void {
  server.route({
    method: 'GET',
    url: '/api/v1/me',
    onRequest: requirePerson(accounts),
    schema: byPeople('me', 'Get the signed-in person and their sites', {
      response: { 200: Answer, ...readErrors() },
    }),
    async handler(request, reply) {
      const person = personOf(request);
      if (person.isSessionDue) await staySignedIn(accounts, request, reply);
      const sites = siteStore.listSites().flatMap(({ domain, timezone, currency, ...site }) => {
        const role = accounts.findRole(person, site.id);
        const shown = { id: site.id, domain, name: site.name || domain, timezone, currency };
        const has_payments = siteStore.hasPayments(site.id);
        return role === undefined ? [] : [{ ...shown, has_payments, role }];
      });
      const { id, name, email, isOwner, twoFactor } = person;
      return { user: { id, name, email, is_owner: isOwner, two_factor: twoFactor }, sites };
    },
  });
  server.route({
    method: 'PATCH',
    url: '/api/v1/me',
    ...takesJson(requirePerson(accounts)),
    schema: byPeople('changeMe', 'Change your name or e-mail address', {
      body: Change,
      response: { 200: Changed, ...bodyErrors() },
    }),
    async handler(request, reply) {
      const person = personOf(request);
      const succeeded = request.body.email && takeOwnTry(accounts, request);
      const changed = await accounts.change(person, request.body);
      if (!changed.ok) throw toRefused(changed.error);
      if (!succeeded || changed.value.email === person.email) return changed.value;
      succeeded();
      reply.header('set-cookie', accounts.knownBrowsers.remember(changed.value.email));
      return changed.value;
    },
  });
}
