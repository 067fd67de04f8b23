/** What a key may do; contract of `key create --scopes`. */
export const SCOPES = [
  'goals:write',
  'payments:write',
  'events:write',
  'stats:read',
  'visitors:read',
  'visitors:delete',
] as const;

export type Scope = (typeof SCOPES)[number];
