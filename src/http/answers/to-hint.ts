import type { DroppedEvent } from '#contract/event.ts';

/** What the owner of a page can do about an event that was dropped: a sentence for the console. */
export function toHint(
  events: readonly unknown[],
  dropped: readonly DroppedEvent[],
): string | undefined {
  for (const { index, reason } of dropped) {
    const { site, url } = (events[index] ?? {}) as Record<string, unknown>;
    if (reason === 'unknown_site') return ofUnknownSite(String(site));
    if (reason === 'hostname_not_allowed') return ofForeignHost(String(site), String(url));
  }
  return undefined;
}

function ofUnknownSite(site: string): string {
  return `Tributary knows no site ${site}. Correct data-site, or add the site: npm run tributary -- site add ${site}`;
}

function ofForeignHost(site: string, url: string): string {
  const { hostname, protocol } = URL.parse(url) ?? {};
  return protocol === 'https:' || protocol === 'http:'
    ? `Tributary takes no events of ${hostname} for ${site}. If it is yours, allow it, with the hosts that are allowed already: npm run tributary -- site set ${site} --allow ${hostname}`
    : `Tributary takes no events of ${protocol} pages. Serve the page by http or https.`;
}
