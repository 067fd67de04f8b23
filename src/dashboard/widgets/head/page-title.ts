import { useEffect } from 'react';
import { PLACES } from '../keys/sections.ts';
import { SETTINGS } from '../settings/parts.ts';

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
