import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RefusedRequest } from '../answers/errors.ts';
import { isKnown } from '../answers/etag.ts';
import type { Server } from '../server/server-type.ts';

const FOLDER = new URL('../../../dist/tracker/', import.meta.url);

/** The forms that are served, the smallest first. */
const CODINGS = [
  { coding: 'br', suffix: '.br' },
  { coding: 'gzip', suffix: '.gz' },
] as const;

type BuiltScript = {
  readonly etag: string;
  readonly plain: Buffer;
  readonly coded: readonly { readonly coding: string; readonly bytes: Buffer }[];
};

/** `GET /js/script.js`: the tracker, as it was built when the server started. */
export function addTrackerScriptRoute(server: Server): void {
  const script = readScript();
  server.get('/js/script.js', { schema: { hide: true } }, (request, reply) => {
    if (script === undefined) {
      throw new RefusedRequest('not_found', 'The tracker is not built: run npm run prepare.');
    }
    return sendScript(script, request, reply);
  });
}

function readScript(): BuiltScript | undefined {
  const path = new URL('script.js', FOLDER);
  if (!existsSync(path)) return undefined;
  const plain = readFileSync(path);
  const coded = CODINGS.flatMap(({ coding, suffix }) => {
    const codedPath = new URL(`script.js${suffix}`, FOLDER);
    return existsSync(codedPath) ? [{ coding, bytes: readFileSync(codedPath) }] : [];
  });
  return { etag: hash('sha256', plain).slice(0, 16), plain, coded };
}

function sendScript(
  script: BuiltScript,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const accepted = headers['accept-encoding'] ?? '';
  const form = script.coded.find(({ coding }) => isAccepted(accepted, coding));
  const etag = `"${script.etag}${form === undefined ? '' : `-${form.coding}`}"`;
  reply.headers({
    'cache-control': 'public, max-age=3600',
    vary: 'accept-encoding',
    etag,
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  });
  if (isKnown(etag, headers)) return reply.code(304).send();
  if (form !== undefined) reply.header('content-encoding', form.coding);
  return reply
    .header('content-type', 'text/javascript; charset=utf-8')
    .send(form?.bytes ?? script.plain);
}

/** Source: RFC 9110, section 12.5.3: a weight of 0 means "not acceptable". */
function isAccepted(header: string | string[], coding: string): boolean {
  const offers = String(header).toLowerCase().split(',');
  const offer = offers.find((each) => each.trim().split(';')[0]?.trim() === coding);
  return offer !== undefined && !/;\s*q=0(\.0*)?\s*$/.test(offer);
}
