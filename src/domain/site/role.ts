/** What somebody may be on a site, from all rights to the fewest. */
export const ROLES = ['owner', 'admin', 'viewer'] as const;

/** One of {@link ROLES}. */
export type Role = (typeof ROLES)[number];
