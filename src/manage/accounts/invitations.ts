import {
  AcceptInvitationRequest,
  FindInvitationRequest,
  InvitationAnswer,
  JoinedAnswer,
} from '#contract/logins/invitations.ts';
import { RefusedRequest } from '#server/errors/errors.ts';
import type { Server } from '#server/server-type.ts';
import { addOpenRoute } from '../access/routes.ts';
import { findUser, requireOwnOrigin, type SiteAccess } from '../access/users.ts';
import { refuseField } from './begin.ts';
import { signIn } from './logins.ts';

/** `POST /api/invitations/find` and `/accept`: for people with an invitation link. */
export function addInvitationRoutes(
  server: Server,
  { accounts, sites }: SiteAccess<'invitations' | 'handleLogin' | 'knownBrowsers'>,
): void {
  const { invitations, audit } = accounts;
  const fromHere = requireOwnOrigin(accounts);

  addOpenRoute(server, 'POST /api/invitations/find', [fromHere], {
    operation: ['findInvitation', 'Get the invitation of a link'],
    body: FindInvitationRequest,
    answer: InvitationAnswer,
    isRead: true,
    async handle({ body: { token } }) {
      const { email, role, hasLogin, domain } = await findOpen(token);
      return { email, role, domain, has_login: hasLogin };
    },
  });

  addOpenRoute(server, 'POST /api/invitations/accept', [fromHere], {
    operation: ['acceptInvitation', 'Accept an invitation and become a member of a site'],
    description:
      'People without a login send a name and a password, and are signed in. People with a login sign in first.',
    body: AcceptInvitationRequest,
    answer: JoinedAnswer,
    async handle({ body, request, reply }) {
      const { token, name = '', password = '' } = body;
      const { domain } = await findOpen(token);
      const user = await findUser(accounts, request);
      const joined = await invitations.accept(token, { user, name, password });
      if (!joined.ok) throw refuseField(joined.error);
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
      throw refuseField({ field: 'token', message: 'is not valid: ask for a new invitation' });
    }
    return { ...found, domain: site.domain };
  }
}
