import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RefusedRequest } from '../answers/errors.ts';
import { asksForPage, isPage } from '../requests/is-page.ts';
import type { Server } from '../server/server-type.ts';
import { EMBED_SCRIPT } from './embed-script.ts';

const FOLDER = fileURLToPath(new URL('../../../dist/dashboard/', import.meta.url));

/** Allows only resources of this server, and no inline scripts or styles. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Pages of shared links, and the variant that other sites may embed in a frame. */
const SHARED = /^\/share\//;
const FRAMED = /^\/share\/[\w-]+\/embed(?:$|\?)/;

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

const CODINGS = [
  { coding: 'br', ending: '.br' },
  { coding: 'gzip', ending: '.gz' },
  { coding: '', ending: '' },
] as const;

/** The dashboard as built when the server started. */
export type Dashboard = {
  /** Adds the routes of its files. */
  readonly addRoutes: (server: Server) => void;
  /** Sends the dashboard's page if a browser opens a URL without a route of its own. */
  readonly sendPage: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined;
};

/** Reads the dashboard's files. */
export function readDashboard(): Dashboard {
  const files = readFiles();
  return {
    addRoutes(server) {
      server.get<{ Params: { name: string } }>(
        '/assets/:name',
        { schema: { hide: true } },
        (request, reply) => {
          reply.header('cache-control', 'public, max-age=31536000, immutable');
          return sendFile(files, `assets/${request.params.name}`, request, reply);
        },
      );
      server.get('/embed.js', { schema: { hide: true } }, (_request, reply) => {
        reply.headers({
          'cache-control': 'public, max-age=86400',
          'content-type': CONTENT_TYPES.js,
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
      'content-security-policy': `${POLICY}; frame-ancestors ${isFramed ? '*' : "'none'"}`,
      // The URL of a shared link is its secret, so it must not leak as a referrer.
      'referrer-policy': SHARED.test(request.url) ? 'no-referrer' : 'same-origin',
      ...(SHARED.test(request.url) && { 'x-robots-tag': 'noindex' }),
      ...(!isFramed && { 'x-frame-options': 'DENY' }),
    });
    return sendFile(files, 'index.html', request, reply);
  }
}

/** The dashboard's files by path. Empty if it is not built. */
function readFiles(): ReadonlyMap<string, Buffer> {
  if (!existsSync(FOLDER)) return new Map();
  const names = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`.replaceAll('//', '/'));
  return new Map(names.map((path) => [path.slice(FOLDER.length), readFileSync(path)]));
}

function sendFile(
  files: ReadonlyMap<string, Buffer>,
  name: string,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  const form = CODINGS.find(
    ({ coding, ending }) =>
      (coding === '' || accepted.includes(coding)) && files.has(`${name}${ending}`),
  );
  const bytes = form && files.get(`${name}${form.ending}`);
  if (form === undefined || bytes === undefined) {
    throw new RefusedRequest('not_found', 'The dashboard is not built. Run "npm run prepare".');
  }
  if (form.coding !== '') reply.header('content-encoding', form.coding);
  const ending = name.slice(name.lastIndexOf('.') + 1);
  return reply
    .headers({
      vary: 'accept, accept-encoding',
      'content-type': CONTENT_TYPES[ending] ?? 'application/octet-stream',
    })
    .send(bytes);
}
