import type { Role } from '../site/role.ts';

/** A member of a site. */
export type Member = {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  /** Whether the user owns the server, and so cannot be removed from a site. */
  readonly isOwner: boolean;
  readonly twoFactor: boolean;
};
