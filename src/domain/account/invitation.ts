import type { Role } from '../site/role.ts';

/** An invitation of somebody to a site. */
export type Invitation = { readonly email: string; readonly siteId: string; readonly role: Role };

/** An accepted invitation, and whether it created a login. */
export type JoinedLogin = Invitation & { readonly userId: string; readonly isNew: boolean };
