import { ROLES } from '#domain/site/role.ts';
import type { ViewedSite } from '../../api/account.ts';

/** The parts of a site's settings, each for one role and those with more rights. */
export const SETTINGS = [
  { path: 'general', label: 'General', isFor: 'admin' },
  { path: 'privacy', label: 'Privacy', isFor: 'admin' },
  { path: 'channels', label: 'Channels', isFor: 'admin' },
  { path: 'script', label: 'Script', isFor: 'viewer' },
  { path: 'keys', label: 'API keys', isFor: 'admin' },
  { path: 'providers', label: 'Payment providers', isFor: 'owner' },
  { path: 'spend', label: 'Spend', isFor: 'admin' },
  { path: 'people', label: 'People', isFor: 'admin' },
  { path: 'mail', label: 'Mail and alerts', isFor: 'viewer' },
  { path: 'sharing', label: 'Sharing', isFor: 'admin' },
  { path: 'exports', label: 'Exports', isFor: 'viewer' },
  { path: 'health', label: 'Health', isFor: 'viewer' },
] as const;

/** The parts that a role sees. */
export function partsFor(role: ViewedSite['role']) {
  return SETTINGS.filter(({ isFor }) => ROLES.indexOf(role) <= ROLES.indexOf(isFor));
}
