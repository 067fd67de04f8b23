/**
 * Whether a host is in a list, or a subdomain of a host in it. An empty host never is.
 *
 * - Shape: lower-case hosts without a port.
 */
export function isHostAmong(host: string, hosts: readonly string[]): boolean {
  if (host === '') return false;
  return hosts.some((known) => {
    if (!host.endsWith(known)) return false;
    return host.length === known.length || host[host.length - known.length - 1] === '.';
  });
}

/** Whether a host is `known` or its subdomain. If `known` starts with `*.`, only subdomains match. */
export function isOfHost(host: string, known: string): boolean {
  return known.startsWith('*.') ? host.endsWith(known.slice(1)) : isHostAmong(host, [known]);
}
