import type { Server as NodeServer } from 'node:http';
import type { SiteDirectory } from '#ingest/ports.ts';

/** Where the script is, and where it sends its events. Sites have paths of their own for it. */
export const SCRIPT_PATH = '/js/script.js';

const NEUTRAL = /^\/[a-z]{12}\/app\.js(?=\?|$)/;

/**
 * Takes what comes to a site's own path for what comes to {@link SCRIPT_PATH}, whatever the method.
 *
 * Why before all routes: writes pass the framework by, and both ways must know the path.
 */
export function openNeutralPaths(nodes: NodeServer, sites: SiteDirectory): void {
  nodes.prependListener('request', (request) => {
    const { url = '' } = request;
    const [path] = NEUTRAL.exec(url) ?? [];
    if (path !== undefined && isOfSite(path, sites)) {
      request.url = SCRIPT_PATH + url.slice(path.length);
    }
  });
}

/** While the ledger cannot be read, a path may be a new site's: its events are not turned away. */
function isOfSite(path: string, sites: SiteDirectory): boolean {
  try {
    return sites.findSite(path) !== undefined;
  } catch {
    return true;
  }
}
