import type { AuditEntry, AuditedChange, Who } from '#domain/account/audit.ts';
import type { Invitation, JoinedLogin } from '#domain/account/invitation.ts';
import type { ChangedLogin, LoginFault, NewLogin } from '#domain/account/login-form.ts';
import type { Member } from '#domain/account/member.ts';
import type { AlertRules, OpenAlert, Subscription } from '#domain/account/notices.ts';
import type { Saved, SavedKind } from '#domain/account/saved.ts';
import type { NewShare, Share } from '#domain/account/share.ts';
import type { SignInTry } from '#domain/account/sign-in-try.ts';
import type { User } from '#domain/account/user.ts';
import type { Result } from '#domain/result.ts';
import type { Role } from '#domain/site/role.ts';

/** User accounts: people, their sessions, and their roles on sites. */
export interface UserAccounts {
  /** The user whose session a request's cookie names, if it is valid. */
  findUser(cookie: string | undefined): Promise<User | undefined>;
  /** The e-mail address of the user who has given their password, but no code yet. */
  findChallenged(cookie: string | undefined): Promise<string | undefined>;
  /** Whether the server has an owner. If so, start links no longer work. */
  hasOwner(): Promise<boolean>;
  /** Creates a password reset link and returns its token; `undefined` for an unknown address. */
  makeResetLink(email: string): Promise<string | undefined>;
  /** Whether a link for the first login or a new password still works. It is not used up. */
  isLinkOpen(kind: 'start' | 'reset', token: string): Promise<boolean>;
  /** Creates the owner. Refuses an invalid link or login. */
  start(token: string, login: NewLogin): Promise<Result<undefined, LoginFault>>;
  /** Sets the password of the link's user, and ends all their sessions. */
  reset(token: string, password: string): Promise<Result<{ readonly email: string }, LoginFault>>;
  /**
   * Changes a user's name, and returns both as stored. A new e-mail address waits until the link with the token is
   * opened, and needs their password: a session left open must not be enough to take a login over.
   */
  change(user: User, to: Partial<NewLogin>): Promise<Result<ChangedLogin, LoginFault>>;
  /** The new address that waits for its link to be opened; with a token, only if it is that of the link. */
  findAskedEmail(userId: string, token?: string): Promise<string | undefined>;
  /** Gives a user an address that was proved, or that the server's owner confirms. */
  setEmail(who: Who, email: string): Promise<Result<string, LoginFault>>;
  /** A user's role on a site; `undefined` without access. */
  findRole(user: User, siteId: string): Promise<Role | undefined>;
  readonly members: Members;
  readonly invitations: Invitations;
  readonly audit: Audit;
  readonly saved: SavedThings;
  readonly shares: Shares;
  readonly notices: NoticeChoices;
  readonly alerts: OwnAlerts;
  readonly signInLimit: SignInLimit;
  /** Counts a mail that somebody has sent by a click and returns 0, or how long they have to wait. */
  takeMail(to: string, by: string): number;
  readonly knownBrowsers: KnownBrowsers;
  /** Answers a request under `/api/auth/` whose origin has been checked, as documented by better-auth. */
  handleLogin(request: Request): Promise<Response>;
  /** The origin that such a request must use. */
  readonly origin: string;
}

/** The members of sites. Owners of the server are members of every site. */
interface Members {
  /** The members of a site, including owners of the server, by name. */
  list(siteId: string): Promise<readonly Member[]>;
  /** Makes a user a member, or changes their role. */
  setRole(userId: string, siteId: string, role: Role): Promise<void>;
  /** Removes a member, with their own saved items and mails. Returns false if they were not a member. */
  remove(userId: string, siteId: string): Promise<boolean>;
}

/** Invitations to sites, by one-time links. */
interface Invitations {
  /**
   * Creates an invitation and returns two tokens for it, which look alike. Replaces their earlier one to the same
   * site. `token` is for the member who invites, and proves nothing: anybody may open it. `proof` is sent to the
   * invited address, or handed over by the server's owner: opening it proves the address.
   */
  invite(invitation: Invitation): Promise<{ readonly token: string; readonly proof: string }>;
  /** The invitation of a token, and whether the invited address already has a login. */
  find(token: string): Promise<(Invitation & { readonly hasLogin: boolean }) | undefined>;
  /**
   * Makes its holder a member: creates a login with the name and password, or uses the one that is
   * signed in. If the invited address has a login but is not signed in, the invitation stays open and
   * the result is `undefined`. A login must have proved its address, by this token at the latest.
   */
  accept(
    token: string,
    who: { readonly user: User | undefined; readonly name: string; readonly password: string },
  ): Promise<Result<JoinedLogin | undefined, LoginFault>>;
  /** The open invitations of a site. */
  list(siteId: string): Promise<readonly OpenInvitation[]>;
  /** Withdraws an invitation. Returns false if it was no longer open. */
  withdraw(siteId: string, id: string): Promise<boolean>;
}

/** An invitation that nobody has accepted. */
type OpenInvitation = Invitation & { readonly id: string; readonly expiresAt: number };

/** The audit log. */
interface Audit {
  /**
   * Records a change. Those that a user made to one site in an hour, of one kind, are listed up to a number and then
   * counted in one entry: nobody can push the changes of others off the list.
   */
  note(who: Who, change: AuditedChange): Promise<void>;
  /**
   * Records a failed sign-in. Those of one login within an hour are one entry, which counts them, and so are all
   * those without a login: their addresses are not stored, and a stranger cannot fill the log.
   */
  noteFailure(email: string | undefined): Promise<void>;
  /**
   * The changes of a site, newest first, including changes to the logins of its members; without a site, the
   * changes of the whole server.
   */
  list(siteId: string | undefined, limit: number): Promise<readonly AuditEntry[]>;
}

/** Saved items by site and kind, shared and personal. */
interface SavedThings {
  /** Shared items and the user's own, oldest first. */
  list(siteId: string, kind: SavedKind, userId?: string): Promise<readonly Saved[]>;
  add(siteId: string, kind: SavedKind, thing: Pick<Saved, 'userId' | 'content'>): Promise<Saved>;
  /** Replaces an item's content and owner. */
  set(thing: Pick<Saved, 'id' | 'userId' | 'content'>): Promise<void>;
  remove(id: string): Promise<void>;
  /** Removes all saved items of a site. */
  removeAll(siteId: string): Promise<void>;
}

/** The shared links. */
interface Shares {
  make(share: NewShare): Promise<Result<Share, LoginFault>>;
  /** The links of a site, oldest first. */
  list(siteId: string): Promise<readonly Share[]>;
  /** Removes a link. Returns false if the site has none with this id. */
  remove(siteId: string, id: string): Promise<boolean>;
  /** The link of a credential (its token, or the result of {@link Shares.open}), and whether it gives access. */
  find(
    credential: string,
  ): Promise<{ readonly share: Share; readonly isOpen: boolean } | undefined>;
  /** Exchanges the link's password for a credential that is valid for some hours; `undefined` if wrong. */
  open(
    share: Share,
    password: string,
  ): Promise<{ readonly credential: string; readonly expiresAt: number } | undefined>;
  /** Records that a link was used, accurate to a minute. */
  noteUse(share: Share): Promise<void>;
}

/** What users choose of mails and alerts. */
interface NoticeChoices {
  find(userId: string, siteId: string): Promise<Subscription>;
  /** Ends the subscription with the token. Returns false if there is none. */
  unsubscribe(token: string): Promise<boolean>;
  findRules(siteId: string): Promise<AlertRules>;
  setRules(siteId: string, rules: AlertRules): Promise<void>;
  listOpen(siteId: string): Promise<readonly OpenAlert[]>;
  /** Removes everything about a site. */
  removeAll(siteId: string): Promise<void>;
}

/** Alerts of one's own, as JSON. */
interface OwnAlerts {
  listOwn(siteId: string): Promise<readonly { readonly rule: string }[]>;
  /** Replaces those of a site. Those that it has go on where they are. */
  setOwn(siteId: string, rules: readonly string[]): Promise<void>;
}

/** Slows down password guessing. Known without waiting, as it is kept in memory. */
interface SignInLimit {
  /** Returns how long to wait, or 0 if the attempt may go ahead. It counts as failed until it succeeds. */
  take(attempt: SignInTry): number;
  succeeded(attempt: SignInTry): void;
}

/** Remembers the browsers in which a user has signed in before. */
interface KnownBrowsers {
  /** The `Set-Cookie` header for a browser in which the user has signed in. */
  remember(email: string): string;
  isKnown(cookies: string | undefined, email: string): boolean;
}
