import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readBuiltFiles, sendBuiltFile } from './built-files.ts';
import { SCRIPT_PATH } from './neutral-paths.ts';

/** A line that explains the script's silence on localhost, which visitors never have to load. */
const WARNING = `{let{dataset:a}=document.currentScript??document.querySelector("script[data-site]")??{};a&&!("allowLocalhost"in a)&&console.warn("Tributary does not track pages on localhost. To try it here, add data-allow-localhost to its script tag.")}`;

/** `GET /js/script.js`: the tracker, as built when the server started. */
export function addTrackerScriptRoute(server: FastifyInstance): void {
  const files = readBuiltFiles('tracker');
  server.get(SCRIPT_PATH, { schema: { hide: true } }, (request, reply) => {
    reply.headers({
      'content-type': 'text/javascript; charset=utf-8',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
    if (isForLocalPage(request)) return reply.send(WARNING + (files.get('script.js') ?? ''));
    reply.headers({ 'cache-control': 'public, max-age=3600', vary: 'accept-encoding' });
    return sendBuiltFile(files, 'script.js', request, reply);
  });
}

/** Whether the page is on localhost, where the script is silent unless its tag says otherwise. */
function isForLocalPage({ headers: { referer } }: FastifyRequest): boolean {
  const host = referer === undefined ? undefined : URL.parse(referer)?.hostname;
  return host !== undefined && /localhost$|^(127\.|\[)/.test(host);
}
