import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { ok, type Result, refuse } from '#domain/result.ts';
import { inTransaction } from '#storage/durable-database.ts';
import { type Links, newToken, type OpenLink } from './links.ts';
import { LINK_OVER, parseLogin, type Refusal, UNPROVED } from './login-form.ts';
import type { Members } from './members.ts';
import { hashPassword } from './password.ts';
import type { Person, Role } from './person.ts';
import type { Users } from './users.ts';

/** An invitation of a person to a site. */
export type Invitation = { readonly email: string; readonly siteId: string; readonly role: Role };

/** Invitations to sites, by one-time links. */
export interface Invitations {
  /**
   * Creates an invitation and returns two tokens for it, which look alike. Replaces the person's earlier one to the same
   * site. `token` is for who invites: whoever opens it may be anybody. `proof` is for the invited mailbox, or from the
   * hand of the server's owner: whoever opens it has the address.
   */
  invite(invitation: Invitation): { readonly token: string; readonly proof: string };
  /** The invitation of a token, and whether its person already has a login. */
  find(token: string): (Invitation & { readonly hasLogin: boolean }) | undefined;
  /**
   * Makes the person a member: creates a login with the name and password, or uses the one that is
   * signed in. If the invited person has a login but is not signed in, the invitation stays open and
   * the result is `undefined`. A login must have proved its address, by this token at the latest.
   */
  accept(
    token: string,
    who: { readonly person: Person | undefined; readonly name: string; readonly password: string },
  ): Promise<Result<Joined | undefined, Refusal>>;
  /** The open invitations of a site. */
  list(siteId: string): readonly OpenLink[];
  /** Withdraws an invitation. Returns false if it was no longer open. */
  withdraw(siteId: string, id: string): boolean;
}

/** An accepted invitation, and whether it created a login. */
export type Joined = Invitation & { readonly userId: string; readonly isNew: boolean };

/** How long an invitation is valid. */
export const INVITATION_LIFETIME_MS = 7 * 86_400_000;

/** Creates the invitations in the accounts database. */
export function createInvitations(
  db: DatabaseSync,
  { links, users, members }: { links: Links; users: Users; members: Members },
): Invitations {
  const find = (given: string) => {
    const proven = links.find('invite', toToken(given));
    const link = proven ?? links.find('invite', given);
    if (link === undefined) return undefined;
    const { email, siteId, role, id } = link;
    const hasLogin = users.findId(email) !== undefined;
    return { email, siteId, role, hasLogin, isProof: proven !== undefined, id };
  };
  return {
    invite: (invitation) =>
      inTransaction(db, () => {
        const { siteId, email } = invitation;
        const before = links.list('invite').filter((each) => each.siteId === siteId);
        for (const each of before) if (each.email === email) links.spend(each.id);
        const proof = newToken();
        const link = { kind: 'invite', ...invitation } as const;
        return { token: links.make(link, INVITATION_LIFETIME_MS, toToken(proof)), proof };
      }),
    find,
    async accept(token, { person, name, password }) {
      const found = find(token);
      if (found === undefined) return refuse(LINK_OVER);
      const { hasLogin, isProof, id, ...invitation } = found;
      if (hasLogin && person?.email !== invitation.email) return ok(undefined);
      if (hasLogin && !isProof && person?.isProved !== true) return refuse(UNPROVED);
      const login = hasLogin ? undefined : parseLogin({ name, email: invitation.email, password });
      if (login?.ok === false) return login;
      const hash = login === undefined ? '' : await hashPassword(password);
      const made = login && { ...login.value, hash, isOwner: false };
      return inTransaction(db, () => {
        const known = users.findId(invitation.email);
        const isAsBefore = (known === undefined) === (made !== undefined); // Another link may have won.
        if (!isAsBefore || !links.spend(id)) return refuse(LINK_OVER);
        const userId = made === undefined ? String(known) : users.add(made);
        if (isProof && person?.isProved !== true) users.setEmail(userId, invitation.email);
        members.setRole(userId, invitation.siteId, invitation.role);
        return ok({ ...invitation, userId, isNew: made !== undefined });
      });
    },
    list: (siteId) => links.list('invite').filter((each) => each.siteId === siteId),
    withdraw(siteId, id) {
      const isThere = links.list('invite').some((each) => each.id === id && each.siteId === siteId);
      return isThere && links.spend(id);
    },
  };
}

/** The token that goes with a proof. Nobody finds the proof from it. */
function toToken(proof: string): string {
  return hash('sha256', `token of ${proof}`, 'base64url');
}
