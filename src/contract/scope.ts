/** What a key may do; contract of `key create --scopes`. */
export const SCOPES = [
  'goals:write',
  'payments:write',
  'events:write',
  'stats:read',
  'visitors:read',
  'visitors:delete',
] as const;

/** One of {@link SCOPES}. */
export type Scope = (typeof SCOPES)[number];
