import type { DatabaseSync } from 'node:sqlite';
import { ok, type Result, refuse } from '#domain/result.ts';
import { inTransaction } from '#storage/durable-database.ts';
import type { Links, OpenLink } from './links.ts';
import { LINK_OVER, parseLogin, type Refusal } from './login-form.ts';
import type { Members } from './members.ts';
import { hashPassword } from './password.ts';
import type { Person, Role } from './person.ts';
import type { Users } from './users.ts';

/** What somebody is invited to. */
export type Invitation = {
  readonly email: string;
  readonly siteId: string;
  readonly role: Role;
};

/** Invitations to sites, by links. */
export interface Invitations {
  /** The token of a new invitation; an earlier one of the same person to the site is over then. */
  invite(invitation: Invitation): string;
  /** What a token invites to, and whether its person has a login already. */
  find(token: string): (Invitation & { readonly hasLogin: boolean }) | undefined;
  /**
   * Makes a member of whoever has no login yet, with the name and the password, or of who is signed in.
   * Answers nothing, and stays open, where the person of the link has a login and is not signed in.
   */
  accept(
    token: string,
    who: { readonly person: Person | undefined; readonly name: string; readonly password: string },
  ): Promise<Result<Joined | undefined, Refusal>>;
  /** Those of a site that are open. */
  list(siteId: string): readonly OpenLink[];
  /** Takes one back; false when it was over already. */
  withdraw(siteId: string, id: string): boolean;
}

/** Who has joined which site, and whether a login was made for it. */
export type Joined = Invitation & { readonly userId: string; readonly isNew: boolean };

/** How long an invitation is open. */
export const INVITATION_LIFETIME_MS = 7 * 86_400_000;

/** The invitations on a connection to the file of people. */
export function createInvitations(
  db: DatabaseSync,
  { links, users, members }: { links: Links; users: Users; members: Members },
): Invitations {
  const find: Invitations['find'] = (token) => {
    const link = links.find('invite', token);
    if (link === undefined) return undefined;
    const { email, siteId, role } = link;
    return { email, siteId, role, hasLogin: users.findId(email) !== undefined };
  };
  return {
    invite: (invitation) =>
      inTransaction(db, () => {
        const { siteId, email } = invitation;
        const before = links.list('invite').filter((each) => each.siteId === siteId);
        for (const each of before) if (each.email === email) links.withdraw(each.id);
        return links.make({ kind: 'invite', ...invitation }, INVITATION_LIFETIME_MS);
      }),
    find,
    async accept(token, { person, name, password }) {
      const found = find(token);
      if (found === undefined) return refuse(LINK_OVER);
      const { hasLogin, ...invitation } = found;
      if (hasLogin && person?.email !== invitation.email) return ok(undefined);
      const login = hasLogin ? undefined : parseLogin({ name, email: invitation.email, password });
      if (login?.ok === false) return login;
      const hash = login === undefined ? '' : await hashPassword(password);
      const made = login && { ...login.value, hash, isOwner: false };
      return inTransaction(db, () => {
        const known = users.findId(invitation.email);
        const isAsBefore = (known === undefined) === (made !== undefined); // Another link may have come first.
        if (!isAsBefore || !links.spend(token)) return refuse(LINK_OVER);
        const userId = made === undefined ? String(known) : users.add(made);
        members.setRole(userId, invitation.siteId, invitation.role);
        return ok({ ...invitation, userId, isNew: made !== undefined });
      });
    },
    list: (siteId) => links.list('invite').filter((each) => each.siteId === siteId),
    withdraw(siteId, id) {
      const isThere = links.list('invite').some((each) => each.id === id && each.siteId === siteId);
      return isThere && links.withdraw(id);
    },
  };
}
