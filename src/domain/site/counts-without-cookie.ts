import type { SiteSettings } from './site-settings.ts';

/** Whether a site counts a browser without a cookie: all, or those that send Global Privacy Control. */
export function countsWithoutCookie(
  { cookieless }: Pick<SiteSettings, 'cookieless'>,
  isPrivate: boolean,
): boolean {
  return cookieless === 'always' || (cookieless === 'gpc' && isPrivate);
}
