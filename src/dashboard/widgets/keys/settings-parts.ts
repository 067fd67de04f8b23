import { ROLES } from '#domain/site/role.ts';
import type { ViewedSite } from '../../api/account.ts';

/** The parts of a site's settings, each for one role and those with more rights, and what the palette finds in them. */
export const SETTINGS = [
  {
    path: 'general',
    label: 'General',
    isFor: 'admin',
    holds: ['Time zone', 'Currency', 'Allowed hosts', 'Keep events for', 'Remove this site'],
  },
  {
    path: 'privacy',
    label: 'Privacy',
    isFor: 'admin',
    holds: [
      'Cookies',
      'User ids from browsers',
      'Data centres',
      'Exclude your own visits',
      'Erase a visitor',
    ],
  },
  { path: 'channels', label: 'Channels', isFor: 'admin', holds: ['Custom channels'] },
  { path: 'script', label: 'Script', isFor: 'viewer', holds: ['Snippet for your pages'] },
  { path: 'keys', label: 'API keys', isFor: 'admin', holds: ['New key'] },
  {
    path: 'providers',
    label: 'Payment providers',
    isFor: 'owner',
    holds: ['Connect Stripe, Paddle and others'],
  },
  { path: 'spend', label: 'Spend', isFor: 'admin', holds: ['Costs of campaigns'] },
  { path: 'people', label: 'People', isFor: 'admin', holds: ['Invite somebody', 'Audit log'] },
  {
    path: 'mail',
    label: 'Mail and alerts',
    isFor: 'viewer',
    holds: ['Summaries by mail', 'Alerts', 'Webhook'],
  },
  { path: 'sharing', label: 'Sharing', isFor: 'admin', holds: ['Public links', 'Embed'] },
  { path: 'exports', label: 'Exports', isFor: 'viewer', holds: ['CSV, NDJSON and Parquet'] },
  { path: 'health', label: 'Health', isFor: 'viewer', holds: ['Dropped events', 'Server'] },
] as const;

/** The parts that a role sees. */
export function partsFor(role: ViewedSite['role']) {
  return SETTINGS.filter(({ isFor }) => ROLES.indexOf(role) <= ROLES.indexOf(isFor));
}
