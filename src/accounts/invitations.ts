import { hash } from 'node:crypto';
import type { Invitation, JoinedLogin } from '#domain/account/invitation.ts';
import { LINK_OVER, type LoginFault, parseLogin, UNPROVED } from '#domain/account/login-form.ts';
import type { User } from '#domain/account/user.ts';
import { ok, type Result, refuse } from '#domain/result.ts';
import { newToken } from './links.ts';
import type { HashOf } from './password.ts';
import type { Change, Stores } from './stores.ts';

/** How long an invitation is valid. */
const INVITATION_LIFETIME_MS = 7 * 86_400_000;

/** Creates the invitations on the stores of accounts. */
export function createInvitations(
  { links, users }: Pick<Stores, 'links' | 'users'>,
  change: Change,
  hashOf: HashOf,
) {
  async function find(given: string) {
    const proven = await links.find('invite', toToken(given));
    const link = proven ?? (await links.find('invite', given));
    if (link === undefined) return undefined;
    const { email, siteId, role, id } = link;
    const hasLogin = (await users.findId(email)) !== undefined;
    return { email, siteId, role, hasLogin, isProof: proven !== undefined, id };
  }
  const list = async (siteId: string) =>
    (await links.list('invite')).filter((each) => each.siteId === siteId);
  return {
    invite: (invitation: Invitation) =>
      change(async (own) => {
        const { siteId, email } = invitation;
        for (const each of await own.links.list('invite')) {
          if (each.siteId === siteId && each.email === email) await own.links.spend(each.id);
        }
        const proof = newToken();
        const link = { kind: 'invite', ...invitation } as const;
        return { token: await own.links.make(link, INVITATION_LIFETIME_MS, toToken(proof)), proof };
      }),
    find,
    async accept(
      token: string,
      { user, name, password }: { user: User | undefined; name: string; password: string },
    ): Promise<Result<JoinedLogin | undefined, LoginFault>> {
      const found = await find(token);
      if (found === undefined) return refuse(LINK_OVER);
      const { hasLogin, isProof, id, ...invitation } = found;
      if (hasLogin && user?.email !== invitation.email) return ok(undefined);
      if (hasLogin && !isProof && user?.isProved !== true) return refuse(UNPROVED);
      const login = hasLogin ? undefined : parseLogin({ name, email: invitation.email, password });
      if (login?.ok === false) return login;
      const hash = login === undefined ? '' : await hashOf(password);
      const made = login && { ...login.value, hash, isOwner: false };
      return change(async (own) => {
        const known = await own.users.findId(invitation.email);
        const isAsBefore = (known === undefined) === (made !== undefined); // Another link may have won.
        if (!isAsBefore || !(await own.links.spend(id))) return refuse(LINK_OVER);
        const userId = made === undefined ? String(known) : await own.users.add(made);
        if (isProof && user?.isProved !== true) {
          await own.users.setEmail(userId, invitation.email);
        }
        await own.members.setRole(userId, invitation.siteId, invitation.role);
        return ok({ ...invitation, userId, isNew: made !== undefined });
      });
    },
    list,
    async withdraw(siteId: string, id: string) {
      const isThere = (await list(siteId)).some((each) => each.id === id);
      return isThere && links.spend(id);
    },
  };
}

/** The token that goes with a proof. Nobody finds the proof from it. */
function toToken(proof: string): string {
  return hash('sha256', `token of ${proof}`, 'base64url');
}
