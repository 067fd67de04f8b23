import type { Server as NodeServer } from 'node:http';
import type { FindsSites } from '../requests/read-params.ts';

/** The path that serves the script and receives its events. Each site also has its own path. */
export const SCRIPT_PATH = '/js/script.js';

const NEUTRAL = /^\/[a-z]{12}\/app\.js(?=\?|$)/;

/**
 * Rewrites requests for a site's own path to {@link SCRIPT_PATH}, whatever the method.
 *
 * Why before all routes: writes may bypass the framework, and both ways must know the path.
 */
export function openNeutralPaths(nodes: NodeServer, sites: FindsSites): void {
  nodes.prependListener('request', (request) => {
    const { url = '' } = request;
    const [path] = NEUTRAL.exec(url) ?? [];
    if (path !== undefined && sites.findSite(path) !== undefined) {
      request.url = SCRIPT_PATH + url.slice(path.length);
    }
  });
}
