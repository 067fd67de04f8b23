/** Scopes of a site's key, as accepted by `key create --scopes`. */
export const SCOPES = [
  'goals:write',
  'payments:write',
  'events:write',
  'stats:read',
  'visitors:read',
  'visitors:delete',
  'annotations:write',
] as const;

/** The scopes of a key that names none: what a backend needs, and nothing irreversible or for people to see. */
export const DEFAULT_SCOPES = SCOPES.filter(
  (scope) => scope !== 'visitors:delete' && scope !== 'annotations:write',
);

/** The scope of a key without a site: reading `/metrics`, which shows every site. */
export const METRICS_SCOPE = 'metrics:read';

/** A scope of a key. */
export type KeyScope = (typeof SCOPES)[number] | typeof METRICS_SCOPE;
