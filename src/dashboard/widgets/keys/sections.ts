import { useEffect } from 'react';
import { SETTINGS } from './settings-parts.ts';

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
