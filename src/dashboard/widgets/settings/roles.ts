import type { ViewedSite } from '../../api/account.ts';

/** The roles on a site, least powerful first. */
const ROLES = [
  { role: 'viewer', label: 'Viewer', what: 'sees everything' },
  { role: 'admin', label: 'Admin', what: 'also changes settings, keys and payments' },
  { role: 'owner', label: 'Owner', what: 'can also remove the site' },
] as const satisfies readonly {
  readonly role: ViewedSite['role'];
  readonly label: string;
  readonly what: string;
}[];

/** The {@link ROLES} a user may grant and revoke: `owner` only by owners. */
export function rolesFor(own: ViewedSite['role']) {
  return ROLES.filter(({ role }) => own === 'owner' || (own === 'admin' && role !== 'owner'));
}
