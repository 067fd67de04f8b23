/** Scopes of a site's key, as accepted by `key create --scopes`. */
export const SCOPES = [
  'goals:write',
  'payments:write',
  'events:write',
  'stats:read',
  'visitors:read',
  'visitors:delete',
] as const;

/** The scope of a key without a site: reading `/metrics`, which shows every site. */
export const METRICS_SCOPE = 'metrics:read';

/** A scope of a key. */
export type KeyScope = (typeof SCOPES)[number] | typeof METRICS_SCOPE;
