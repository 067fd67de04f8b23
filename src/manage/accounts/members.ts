import { REMOVED, Removed } from '#contract/done.ts';
import {
  InvitationPath,
  InvitedAnswer,
  InviteRequest,
  MemberAnswer,
  MemberPath,
  MembersAnswer,
  RoleChange,
} from '#contract/sites/members.ts';
import { NO_EMAIL } from '#domain/account/login-form.ts';
import type { Member } from '#domain/account/member.ts';
import { toEmail, type User } from '#domain/account/user.ts';
import type { Role } from '#domain/site/role.ts';
import { RefusedRequest, refuseFaults } from '#server/errors/errors.ts';
import { toServerUrl } from '#server/requests/server-url.ts';
import type { Server } from '#server/server-type.ts';
import { siteRoutes } from '../access/routes.ts';
import type { SiteAccess } from '../access/users.ts';
import { isSent, type Post, refuseField } from './begin.ts';
import { toInvitationMail } from './mails.ts';
import { toMemberAnswer } from './member-answer.ts';

/** `/api/v1/sites/{id}/members` and `/invitations`. */
export function addMemberRoutes(
  server: Server,
  deps: SiteAccess<'members' | 'invitations' | 'takeMail'> & Post,
): void {
  const { accounts, mailer, baseUrl } = deps;
  const { members, invitations } = accounts;
  const add = siteRoutes(server, deps);

  add('GET /members', 'admin', {
    operation: ['listMembers', 'List the members and invitations of a site'],
    answer: MembersAnswer,
    async handle({ site: { id: siteId } }) {
      return {
        members: (await members.list(siteId)).map(toMemberAnswer),
        invitations: (await invitations.list(siteId)).map(toOpen),
      };
    },
  });

  add('POST /members', 'admin', {
    operation: ['inviteMember', 'Invite somebody with a link that is valid for seven days'],
    body: InviteRequest,
    answer: InvitedAnswer,
    async handle({ site, user, request, body, note }) {
      const { id: siteId, domain } = site;
      const { role } = body;
      await assertMayGive(user, siteId, role);
      const email = toEmail(body.email);
      if (email === undefined) throw refuseField(NO_EMAIL);
      if ((await members.list(siteId)).some((each) => each.email === email)) {
        throw refuseFaults([{ path: '/email', message: 'already has access to this site' }]);
      }
      const { token, proof } = await invitations.invite({ email, siteId, role });
      await note('member invited', `${email} as ${role}`);
      const made = (await invitations.list(siteId)).find((each) => each.email === email);
      if (made === undefined) throw noMember();
      const server = toServerUrl(request, baseUrl);
      const toUrl = (opener: string) => `${server}/invite#${opener}`;
      const url = toUrl(user.isOwner ? proof : token);
      const mail = toInvitationMail(email, { url: toUrl(proof), domain, by: user.email });
      const mayMail = accounts.takeMail(email, user.id) === 0;
      return { ...toOpen(made), url, is_sent: mayMail && (await isSent(mailer, request, mail)) };
    },
  });

  add('PATCH /members/:user', 'admin', {
    operation: ['changeMember', 'Change a member’s role'],
    params: MemberPath,
    body: RoleChange,
    answer: MemberAnswer,
    async handle({ site: { id: siteId }, user, params, body: { role }, note }) {
      const member = await findMember(siteId, params.user);
      await assertMayGive(user, siteId, member.role);
      await assertMayGive(user, siteId, role);
      await members.setRole(member.userId, siteId, role);
      await note('role changed', `${member.email} from ${member.role} to ${role}`);
      return toMemberAnswer({ ...member, role });
    },
  });

  add('DELETE /members/:user', 'viewer', {
    operation: ['removeMember', 'Remove a member from a site, or leave it'],
    params: MemberPath,
    answer: Removed,
    async handle({ site: { id: siteId }, user, params, note }) {
      const isSelf = params.user === user.id;
      if (!isSelf) await assertMayGive(user, siteId, 'viewer');
      const member = await findMember(siteId, params.user);
      if (!isSelf) await assertMayGive(user, siteId, member.role);
      await members.remove(member.userId, siteId);
      await note('member removed', member.email);
      return REMOVED;
    },
  });

  add('DELETE /invitations/:invitation', 'admin', {
    operation: ['withdrawInvitation', 'Withdraw an invitation'],
    params: InvitationPath,
    answer: Removed,
    async handle({ site: { id: siteId }, params: { invitation }, note }) {
      const open = (await invitations.list(siteId)).find(({ id }) => id === invitation);
      if (open === undefined || !(await invitations.withdraw(siteId, invitation))) throw noMember();
      await note('invitation withdrawn', open.email);
      return REMOVED;
    },
  });

  /** Admins may assign every role but owner; owners may assign all. */
  async function assertMayGive(user: User, siteId: string, role: Role): Promise<void> {
    const own = await accounts.findRole(user, siteId);
    if (own === 'owner' || (own === 'admin' && role !== 'owner')) return;
    const who = role === 'owner' ? 'an owner' : 'an admin';
    throw new RefusedRequest('forbidden', `Only ${who} of the site may do this.`);
  }

  /** A member who does not own the server: owners cannot be changed or removed. */
  async function findMember(siteId: string, user: string): Promise<Member> {
    const member = (await members.list(siteId)).find(({ userId }) => userId === user);
    if (member === undefined) throw noMember();
    if (member.isOwner) {
      throw new RefusedRequest(
        'forbidden',
        'This user owns the server and keeps access to every site.',
      );
    }
    return member;
  }
}

function toOpen(open: { id: string; email: string; role: Role; expiresAt: number }) {
  const { id, email, role } = open;
  return { id, email, role, expires_at: new Date(open.expiresAt).toISOString() };
}

function noMember(): RefusedRequest {
  return new RefusedRequest('not_found', 'The site has no such member or invitation.');
}
