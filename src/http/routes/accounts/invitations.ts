import Type from 'typebox';
import { ROLES } from '#accounts/person.ts';
import { bodyErrors } from '#contract/error.ts';
import { Strict } from '#contract/query-fields.ts';
import { RefusedRequest } from '../../answers/errors.ts';
import { findPerson, requireOwnOrigin } from '../../requests/people.ts';
import type { ReadDeps } from '../../server/server-deps.ts';
import type { Server } from '../../server/server-type.ts';
import { byAnybody, takesJson } from '../sites/site-request.ts';
import { Token, toRefused } from './begin.ts';
import { signIn } from './logins.ts';

const Found = Type.Object(
  {
    email: Type.String(),
    role: Type.Enum([...ROLES]),
    domain: Type.String(),
    has_login: Type.Boolean({
      description: 'Whether the address has a login. If so, sign in before you accept.',
    }),
  },
  { description: 'The invitation.' },
);
const Joined = Type.Object(
  { status: Type.Literal('success'), domain: Type.String() },
  { description: 'The person is now a member and signed in.' },
);
const FindBody = Type.Object({ token: Token }, { additionalProperties: false });
const AcceptBody = Strict({
  token: Token,
  name: Type.Optional(Type.String({ description: 'Required without a login.' })),
  password: Type.Optional(Type.String({ description: 'Required without a login.' })),
});

/** `POST /api/invitations/find` and `/accept`: for people with an invitation link. */
export function addInvitationRoutes(server: Server, deps: ReadDeps): void {
  const { accounts, sites } = deps;
  const { invitations, audit } = accounts;
  const fromHere = requireOwnOrigin(accounts);

  server.route({
    method: 'POST',
    url: '/api/invitations/find',
    config: { isRead: true },
    ...takesJson(fromHere),
    schema: byAnybody('findInvitation', 'Get the invitation of a link', {
      body: FindBody,
      response: { 200: Found, ...bodyErrors() },
    }),
    async handler({ body: { token } }) {
      const { email, role, hasLogin, domain } = await findOpen(token);
      return { email, role, domain, has_login: hasLogin };
    },
  });

  server.route({
    method: 'POST',
    url: '/api/invitations/accept',
    ...takesJson(fromHere),
    schema: byAnybody('acceptInvitation', 'Accept an invitation and become a member of a site', {
      description:
        'People without a login send a name and a password, and are signed in. People with a login sign in first.',
      body: AcceptBody,
      response: { 200: Joined, ...bodyErrors() },
    }),
    async handler(request, reply) {
      const { token, name = '', password = '' } = request.body;
      const { domain } = await findOpen(token);
      const person = await findPerson(accounts, request);
      const joined = await invitations.accept(token, { person, name, password });
      if (!joined.ok) throw toRefused(joined.error);
      if (joined.value === undefined) {
        throw new RefusedRequest('unauthorized', 'Sign in with the invited address first.');
      }
      const { siteId, email, userId, role, isNew } = joined.value;
      await audit.note({ id: userId, email }, { siteId, what: 'member joined', about: role });
      if (isNew) await signIn(accounts, request, reply, { email, password });
      return { status: 'success' as const, domain };
    },
  });

  /** The invitation, if its site still exists. */
  async function findOpen(token: string) {
    const found = await invitations.find(token);
    const site = found && sites.findSite(found.siteId);
    if (found === undefined || site === undefined) {
      throw toRefused({ field: 'token', message: 'is not valid: ask for a new invitation' });
    }
    return { ...found, domain: site.domain };
  }
}
