import type { DroppedEvent } from '#contract/event.ts';
import { PROGRAM } from '#contract/program.ts';

/** A sentence for the browser console that tells a page's owner how to fix a dropped event. */
export function toHint(
  events: readonly unknown[],
  dropped: readonly DroppedEvent[],
): string | undefined {
  for (const { index, reason, details } of dropped) {
    const { site, url, name } = (events[index] ?? {}) as Record<string, unknown>;
    if (reason === 'invalid_event') return details && ofFault(details, name);
    if (reason === 'unknown_site') return ofUnknownSite(String(site));
    if (reason === 'hostname_not_allowed') return ofForeignHost(String(site), String(url));
  }
  return undefined;
}

/** Of an invalid event, whose goal may have a name to write in other letters. */
function ofFault([fault]: NonNullable<DroppedEvent['details']>, name: unknown): string | undefined {
  if (fault === undefined) return undefined;
  const { path, message } = fault;
  const words = String(name)
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '_');
  const better = words.slice(0, 64) || 'signup';
  const advice = path === '/name' && name !== undefined ? ` Write "${better}", not "${name}".` : '';
  return `Tributary drops an event: its ${path.slice(1)} ${message}.${advice}`;
}

function ofUnknownSite(site: string): string {
  const host = URL.parse(site)?.hostname;
  if (host) return `data-site is a domain, not a URL. Write data-site="${host}".`;
  if (site.startsWith('site_'))
    return `Tributary has no site ${site}. List its sites with: ${PROGRAM} site list`;
  return `Tributary has no site ${site}. Correct data-site, or add the site: ${PROGRAM} site add ${site}`;
}

function ofForeignHost(site: string, url: string): string {
  const { host, hostname, protocol } = URL.parse(url) ?? {};
  return protocol === 'https:' || protocol === 'http:'
    ? `Tributary does not accept events from ${host} for ${site}. If the host is yours, allow it, together with those allowed so far: ${PROGRAM} site set ${site} --allow ${hostname}`
    : `Tributary does not accept events from ${protocol} pages. Serve the page over http or https.`;
}
