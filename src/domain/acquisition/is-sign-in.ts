import type { Referrer, SignInPages } from './acquisition.ts';
import { isOfHost } from './is-host-among.ts';

const PATH = /^[a-z-]+:\/\/[^/?#]*([^?#]*)/i;

/**
 * Whether a referrer is a sign-in page. A visitor who returns from one was already on the site.
 *
 * - Why a bare origin counts as a source if the host has other pages too: browsers usually send
 *   only the origin, and most visitors from such a host followed a link.
 */
export function isSignIn({ url, host }: Referrer, pages: readonly SignInPages[]): boolean {
  return pages.some((page) => {
    if (!isOfHost(host, page.host)) return false;
    return page.path === '' || isBelow(PATH.exec(url)?.[1] ?? '', page.path);
  });
}

function isBelow(path: string, known: string): boolean {
  const steps = path.split('/');
  return known.split('/').every((step, index) => {
    return step === '*' ? index < steps.length : step === steps[index];
  });
}
