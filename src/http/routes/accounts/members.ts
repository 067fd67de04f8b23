import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { NO_EMAIL } from '#accounts/login-form.ts';
import { toInvitationMail } from '#accounts/mail.ts';
import type { Member } from '#accounts/members.ts';
import { ROLES, type Role, toEmail } from '#accounts/person.ts';
import { bodyErrors, readErrors } from '#contract/error.ts';
import { Strict } from '#contract/query-fields.ts';
import { RefusedRequest, refuseFaults } from '../../answers/errors.ts';
import { personOf, requireRole } from '../../requests/people.ts';
import type { ReadDeps } from '../../server/server-deps.ts';
import type { Server } from '../../server/server-type.ts';
import { byPeople, Removed, SitePath, siteOfPath, takesJson } from '../sites/site-request.ts';
import { isSent, toRefused } from './begin.ts';

const AnyRole = Type.Enum([...ROLES]);
const MemberPath = Type.Object({ ...SitePath.properties, user: Type.String() });
const InvitationPath = Type.Object({ ...SitePath.properties, invitation: Type.String() });

const MemberAnswer = Type.Object(
  {
    user_id: Type.String(),
    name: Type.String(),
    email: Type.String(),
    role: AnyRole,
    is_owner: Type.Boolean({
      description: 'Whether the person owns the server, and so cannot be removed from a site.',
    }),
    two_factor: Type.Boolean(),
  },
  { description: 'The member.' },
);
const Open = { id: Type.String(), email: Type.String(), role: AnyRole, expires_at: Type.String() };
const List = Type.Object(
  { members: Type.Array(MemberAnswer), invitations: Type.Array(Type.Object(Open)) },
  { description: 'The members and open invitations of the site.' },
);
const Invited = Type.Object(
  {
    ...Open,
    is_sent: Type.Boolean({ description: 'Whether the invitation was sent by mail.' }),
    url: Type.String({ description: 'The invitation link. It is not shown again.' }),
  },
  { description: 'The invitation.' },
);
const GONE = { removed: true } as const;
const InviteBody = Strict({ email: Type.String(), role: AnyRole });
const ChangeBody = Type.Object({ role: AnyRole }, { additionalProperties: false });

/** `/api/v1/sites/{id}/members` and `/invitations`. */
export function addMemberRoutes(server: Server, deps: ReadDeps): void {
  const { accounts, settings } = deps;
  const { members, invitations, audit } = accounts;
  const url = '/api/v1/sites/:id/members';
  const requireAdmin = requireRole(deps, 'admin');

  server.route({
    method: 'GET',
    url,
    onRequest: requireAdmin,
    schema: byPeople('listMembers', 'List the members and invitations of a site', {
      params: SitePath,
      response: { 200: List, ...readErrors() },
    }),
    async handler({ params }) {
      const { id: siteId } = siteOfPath(deps, params);
      return {
        members: (await members.list(siteId)).map(toAnswer),
        invitations: (await invitations.list(siteId)).map(toOpen),
      };
    },
  });

  server.route({
    method: 'POST',
    url,
    ...takesJson(requireAdmin),
    schema: byPeople('inviteMember', 'Invite somebody with a link that is valid for seven days', {
      params: SitePath,
      body: InviteBody,
      response: { 200: Invited, ...bodyErrors() },
    }),
    async handler(request) {
      const { id: siteId, domain } = siteOfPath(deps, request.params);
      const { role } = request.body;
      await assertMayGive(request, siteId, role);
      const email = toEmail(request.body.email);
      if (email === undefined) throw toRefused(NO_EMAIL);
      if ((await members.list(siteId)).some((each) => each.email === email)) {
        throw refuseFaults([{ path: '/email', message: 'already has access to this site' }]);
      }
      const { token, proof } = await invitations.invite({ email, siteId, role });
      const person = personOf(request);
      const about = `${email} as ${role}`;
      await audit.note(person, { siteId, what: 'member invited', about });
      const made = (await invitations.list(siteId)).find((each) => each.email === email);
      if (made === undefined) throw noMember();
      const server = settings.baseUrl ?? `${request.protocol}://${request.host}`;
      const toUrl = (opener: string) => `${server}/invite#${opener}`;
      const url = toUrl(person.isOwner ? proof : token);
      const mail = toInvitationMail(email, { url: toUrl(proof), domain, by: person.email });
      const mayMail = accounts.takeMail(email, person.id) === 0;
      return { ...toOpen(made), url, is_sent: mayMail && (await isSent(deps, request, mail)) };
    },
  });

  server.route({
    method: 'PATCH',
    url: `${url}/:user`,
    ...takesJson(requireAdmin),
    schema: byPeople('changeMember', 'Change a member’s role', {
      params: MemberPath,
      body: ChangeBody,
      response: { 200: MemberAnswer, ...bodyErrors() },
    }),
    async handler(request) {
      const { siteId, member } = await findMember(request.params);
      const { role } = request.body;
      await assertMayGive(request, siteId, member.role);
      await assertMayGive(request, siteId, role);
      await members.setRole(member.userId, siteId, role);
      const about = `${member.email} from ${member.role} to ${role}`;
      await audit.note(personOf(request), { siteId, what: 'role changed', about });
      return toAnswer({ ...member, role });
    },
  });

  server.route({
    method: 'DELETE',
    url: `${url}/:user`,
    onRequest: requireRole(deps, 'viewer'),
    schema: byPeople('removeMember', 'Remove a member from a site, or leave it', {
      params: MemberPath,
      response: { 200: Removed, ...readErrors() },
    }),
    async handler(request) {
      const isSelf = request.params.user === personOf(request).id;
      if (!isSelf) await assertMayGive(request, siteOfPath(deps, request.params).id, 'viewer');
      const { siteId, member } = await findMember(request.params);
      if (!isSelf) await assertMayGive(request, siteId, member.role);
      await members.remove(member.userId, siteId);
      await audit.note(personOf(request), { siteId, what: 'member removed', about: member.email });
      return GONE;
    },
  });

  server.route({
    method: 'DELETE',
    url: '/api/v1/sites/:id/invitations/:invitation',
    onRequest: requireAdmin,
    schema: byPeople('withdrawInvitation', 'Withdraw an invitation', {
      params: InvitationPath,
      response: { 200: Removed, ...readErrors() },
    }),
    async handler(request) {
      const { id: siteId } = siteOfPath(deps, request.params);
      const { invitation } = request.params;
      const open = (await invitations.list(siteId)).find(({ id }) => id === invitation);
      if (open === undefined || !(await invitations.withdraw(siteId, invitation))) throw noMember();
      await audit.note(personOf(request), {
        siteId,
        what: 'invitation withdrawn',
        about: open.email,
      });
      return GONE;
    },
  });

  /** Admins may assign every role but owner; owners may assign all. */
  async function assertMayGive(request: FastifyRequest, siteId: string, role: Role): Promise<void> {
    const own = await accounts.findRole(personOf(request), siteId);
    if (own === 'owner' || (own === 'admin' && role !== 'owner')) return;
    const who = role === 'owner' ? 'an owner' : 'an admin';
    throw new RefusedRequest('forbidden', `Only ${who} of the site may do this.`);
  }

  /** A member who does not own the server: owners cannot be changed or removed. */
  async function findMember({ id, user }: { readonly id: string; readonly user: string }) {
    const { id: siteId } = siteOfPath(deps, { id });
    const member = (await members.list(siteId)).find(({ userId }) => userId === user);
    if (member === undefined) throw noMember();
    if (member.isOwner) {
      throw new RefusedRequest(
        'forbidden',
        'This person owns the server and keeps access to every site.',
      );
    }
    return { siteId, member };
  }
}

function toAnswer({ userId, name, email, role, isOwner, twoFactor }: Member) {
  return { user_id: userId, name, email, role, is_owner: isOwner, two_factor: twoFactor };
}

function toOpen(open: { id: string; email: string; role: Role; expiresAt: number }) {
  const { id, email, role } = open;
  return { id, email, role, expires_at: new Date(open.expiresAt).toISOString() };
}

function noMember(): RefusedRequest {
  return new RefusedRequest('not_found', 'The site has no such member or invitation.');
}
