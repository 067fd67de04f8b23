/**
 * Whether a host is one of the given, or a subdomain of one. No host (an empty text) is none.
 *
 * - Shape: hosts in lower case, without a port.
 */
export function isHostAmong(host: string, hosts: readonly string[]): boolean {
  if (host === '') return false;
  return hosts.some((known) => {
    if (!host.endsWith(known)) return false;
    return host.length === known.length || host[host.length - known.length - 1] === '.';
  });
}

/** Whether a host is the given or a subdomain of it; with `*.` in front of that, only a subdomain. */
export function isOfHost(host: string, known: string): boolean {
  return known.startsWith('*.') ? host.endsWith(known.slice(1)) : isHostAmong(host, [known]);
}
