import { useEffect } from 'react';
import { ROLES } from '#domain/site/role.ts';
import type { ViewedSite } from '../../api/account.ts';

/** A site's sections, with the key to press after `G`. */
export const SECTIONS = [
  { label: 'Overview', path: '', key: 'O' },
  { label: 'Insights', path: '/insights', key: 'I' },
  { label: 'Attribution', path: '/attribution', key: 'A' },
  { label: 'Funnels', path: '/funnels', key: 'F' },
  { label: 'Retention', path: '/retention', key: 'R' },
  { label: 'Journeys', path: '/journeys', key: 'J' },
  { label: 'People', path: '/people', key: 'P' },
  { label: 'Payments', path: '/payments', key: 'M' },
  { label: 'Settings', path: '/settings', key: 'S' },
] as const;

/** Where `G` leads: the sections, and the live view. */
export const PLACES = [...SECTIONS, { label: 'Live', path: '/live', key: 'L' }] as const;

/**
 * Names the page in tabs, bookmarks and history: `Payments · shop.example · Tributary`.
 *
 * - Why not a `title` element: the page has one before the script runs, and the first one counts.
 */
export function usePageTitle(...names: readonly string[]): void {
  const title = [...names, 'Tributary'].join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}

/** What a path below a site shows, the most exact name first. */
export function namesOfPath(path: string): readonly string[] {
  const [, , section = '', part] = path.split('/');
  if (section === 'settings') {
    const label = SETTINGS.find((each) => each.path === part)?.label;
    return label === undefined ? ['Settings'] : [label, 'Settings'];
  }
  const place = PLACES.find((each) => each.path === (section === '' ? '' : `/${section}`));
  return [place?.label ?? 'No such page'];
}

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
      ...['Cookies', 'User ids from browsers', 'Data centres'],
      ...['Exclude your own visits', 'Erase a visitor'],
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
