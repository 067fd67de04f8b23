import type { Referrer, SignInPages } from './acquisition.ts';
import { isOfHost } from './is-host-among.ts';

const PATH = /^[a-z-]+:\/\/[^/?#]*([^?#]*)/i;

/**
 * Whether a referrer is where people sign in: who comes back from there was on the site before.
 *
 * - Why a host with other pages too stays a source when the referrer is its origin alone, which is
 *   all that browsers send as a rule: most who come from there followed a link.
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
