import { isHostAmong } from '#domain/acquisition/is-host-among.ts';
import type { Step } from './event-draft.ts';

/**
 * Drops what happened elsewhere than on the site's domain, a subdomain, or a host that it allows:
 * whoever copies the script does not write into another's figures.
 */
export const dropForeignHost: Step = ({ address, site }) => {
  if (address === undefined) return undefined;
  const { hostname } = address;
  if (isHostAmong(hostname, [site.domain]) || site.allowedHosts.includes(hostname)) {
    return undefined;
  }
  return 'hostname_not_allowed';
};
