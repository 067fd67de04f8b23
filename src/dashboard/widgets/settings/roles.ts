import type { Site } from '../../account.ts';

/** What somebody can be on a site, the least first. */
export const ROLES = [
  { role: 'viewer', label: 'Viewer', what: 'sees everything' },
  { role: 'admin', label: 'Admin', what: 'also changes settings, keys and payments' },
  { role: 'owner', label: 'Owner', what: 'can also remove the site' },
] as const satisfies readonly {
  readonly role: Site['role'];
  readonly label: string;
  readonly what: string;
}[];

/** Those of {@link ROLES} that somebody may give and take: an owner's only an owner does. */
export function rolesFor(own: Site['role']) {
  return ROLES.filter(({ role }) => own === 'owner' || (own === 'admin' && role !== 'owner'));
}
