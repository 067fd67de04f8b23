/** What a site's key may do; contract of `key create --scopes`. */
export const SCOPES = [
  'goals:write',
  'payments:write',
  'events:write',
  'stats:read',
  'visitors:read',
  'visitors:delete',
] as const;

/** What a key of no site may do: read `/metrics`, which shows every site. */
export const METRICS_SCOPE = 'metrics:read';

/** What a key may do. */
export type Scope = (typeof SCOPES)[number] | typeof METRICS_SCOPE;
