import { hash } from 'node:crypto';
import { ok, type Result, refuse } from '#domain/result.ts';
import type { Role } from '#domain/site/role.ts';
import { newToken, type OpenLink } from './links.ts';
import { LINK_OVER, parseLogin, type Refusal, UNPROVED } from './login-form.ts';
import { hashPassword } from './password.ts';
import type { Change, Stores } from './stores.ts';
import type { User } from './user.ts';

/** An invitation of somebody to a site. */
export type Invitation = { readonly email: string; readonly siteId: string; readonly role: Role };

/** Invitations to sites, by one-time links. */
export interface Invitations {
  /**
   * Creates an invitation and returns two tokens for it, which look alike. Replaces their earlier one to the same
   * site. `token` is for who invites: whoever opens it may be anybody. `proof` is for the invited mailbox, or from the
   * hand of the server's owner: whoever opens it has the address.
   */
  invite(invitation: Invitation): Promise<{ readonly token: string; readonly proof: string }>;
  /** The invitation of a token, and whether whoever it is for already has a login. */
  find(token: string): Promise<(Invitation & { readonly hasLogin: boolean }) | undefined>;
  /**
   * Makes its holder a member: creates a login with the name and password, or uses the one that is
   * signed in. If the invited address has a login but is not signed in, the invitation stays open and
   * the result is `undefined`. A login must have proved its address, by this token at the latest.
   */
  accept(
    token: string,
    who: { readonly user: User | undefined; readonly name: string; readonly password: string },
  ): Promise<Result<Joined | undefined, Refusal>>;
  /** The open invitations of a site. */
  list(siteId: string): Promise<readonly OpenLink[]>;
  /** Withdraws an invitation. Returns false if it was no longer open. */
  withdraw(siteId: string, id: string): Promise<boolean>;
}

/** An accepted invitation, and whether it created a login. */
export type Joined = Invitation & { readonly userId: string; readonly isNew: boolean };

/** How long an invitation is valid. */
export const INVITATION_LIFETIME_MS = 7 * 86_400_000;

/** Creates the invitations on the stores of accounts. */
export function createInvitations(
  { links, users }: Pick<Stores, 'links' | 'users'>,
  change: Change,
): Invitations {
  async function find(given: string) {
    const proven = await links.find('invite', toToken(given));
    const link = proven ?? (await links.find('invite', given));
    if (link === undefined) return undefined;
    const { email, siteId, role, id } = link;
    const hasLogin = (await users.findId(email)) !== undefined;
    return { email, siteId, role, hasLogin, isProof: proven !== undefined, id };
  }
  const list: Invitations['list'] = async (siteId) =>
    (await links.list('invite')).filter((each) => each.siteId === siteId);
  return {
    invite: (invitation) =>
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
    async accept(token, { user, name, password }) {
      const found = await find(token);
      if (found === undefined) return refuse(LINK_OVER);
      const { hasLogin, isProof, id, ...invitation } = found;
      if (hasLogin && user?.email !== invitation.email) return ok(undefined);
      if (hasLogin && !isProof && user?.isProved !== true) return refuse(UNPROVED);
      const login = hasLogin ? undefined : parseLogin({ name, email: invitation.email, password });
      if (login?.ok === false) return login;
      const hash = login === undefined ? '' : await hashPassword(password);
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
    async withdraw(siteId, id) {
      const isThere = (await list(siteId)).some((each) => each.id === id);
      return isThere && links.spend(id);
    },
  };
}

/** The token that goes with a proof. Nobody finds the proof from it. */
function toToken(proof: string): string {
  return hash('sha256', `token of ${proof}`, 'base64url');
}
