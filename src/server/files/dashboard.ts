import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readBuiltFiles, sendBuiltFile } from './built-files.ts';
import { asksForPage, isPage } from './is-page.ts';

/** Allows only resources of this server, and no inline scripts or styles. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Pages of shared links, and the variant that other sites may embed in a frame. */
const SHARED = /^\/share\//;
const FRAMED = /^\/share\/[\w-]+\/embed(?:$|\?)/;

/** The script for pages that embed a shared link: resizes the frame to the height its page reports. */
const EMBED_SCRIPT = `addEventListener('message', ({ data, origin, source }) => {
  if (!data || typeof data.tributaryHeight !== 'number') return;
  for (const frame of document.querySelectorAll('iframe')) {
    if (frame.contentWindow !== source || new URL(frame.src).origin !== origin) continue;
    frame.style.height = data.tributaryHeight + 'px';
  }
});
`;

/** The dashboard as built when the server started. */
type Dashboard = {
  /** Adds the routes of its files. */
  readonly addRoutes: (server: FastifyInstance) => void;
  /** Sends the dashboard's page if a browser opens a URL without a route of its own. */
  readonly sendPage: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined;
};

/** Reads the dashboard's files. */
export function readDashboard(): Dashboard {
  const files = readBuiltFiles('dashboard');
  return {
    addRoutes(server) {
      server.get<{ Params: { name: string } }>(
        '/assets/:name',
        { schema: { hide: true } },
        (request, reply) => {
          reply.headers({
            'cache-control': 'public, max-age=31536000, immutable',
            vary: 'accept-encoding',
          });
          return sendBuiltFile(files, `assets/${request.params.name}`, request, reply);
        },
      );
      server.get('/embed.js', { schema: { hide: true } }, (_request, reply) => {
        reply.headers({
          'cache-control': 'public, max-age=86400',
          'content-type': 'text/javascript; charset=utf-8',
        });
        return reply.send(EMBED_SCRIPT);
      });
      server.get('/', { schema: { hide: true } }, (request, reply) => {
        return asksForPage(request) ? sendPage(request, reply) : reply.redirect('/docs');
      });
    },
    sendPage: (request, reply) => (isPage(request) ? sendPage(request, reply) : undefined),
  };

  function sendPage(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const isFramed = FRAMED.test(request.url);
    reply.headers({
      'cache-control': 'no-cache',
      vary: 'accept, accept-encoding',
      'content-security-policy': `${POLICY}; frame-ancestors ${isFramed ? '*' : "'none'"}`,
      // The URL of a shared link is its secret, so it must not leak as a referrer.
      'referrer-policy': SHARED.test(request.url) ? 'no-referrer' : 'same-origin',
      ...(SHARED.test(request.url) && { 'x-robots-tag': 'noindex' }),
      ...(!isFramed && { 'x-frame-options': 'DENY' }),
    });
    return sendBuiltFile(files, 'index.html', request, reply);
  }
}
