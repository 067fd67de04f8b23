import type { Site } from '../../api/account.ts';

/** The parts of a site's settings; {@link partsFor} leaves out those for admins. */
export const SETTINGS = [
  { path: 'general', label: 'General', isForAdmins: true },
  { path: 'privacy', label: 'Privacy', isForAdmins: true },
  { path: 'channels', label: 'Channels', isForAdmins: true },
  { path: 'script', label: 'Script', isForAdmins: false },
  { path: 'keys', label: 'API keys', isForAdmins: true },
  { path: 'people', label: 'People', isForAdmins: true },
  { path: 'mail', label: 'Mail and alerts', isForAdmins: false },
  { path: 'sharing', label: 'Sharing', isForAdmins: true },
  { path: 'exports', label: 'Exports', isForAdmins: false },
  { path: 'health', label: 'Health', isForAdmins: false },
] as const;

/** The parts that a role sees. */
export function partsFor(role: Site['role']) {
  return SETTINGS.filter(({ isForAdmins }) => !isForAdmins || role !== 'viewer');
}
