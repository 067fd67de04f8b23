import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RefusedRequest } from '../answers/errors.ts';
import { isKnown } from '../answers/etag.ts';
import { SCRIPT_PATH } from '../server/neutral-paths.ts';
import type { Server } from '../server/server-type.ts';

const FOLDER = new URL('../../../dist/tracker/', import.meta.url);

/** The encodings of the script, smallest first, and the files that the build writes. */
const FORMS = [
  { coding: 'br', name: 'script.js.br' },
  { coding: 'gzip', name: 'script.js.gz' },
  { coding: '', name: 'script.js' },
] as const;

type Form = { readonly coding: string; readonly etag: string; readonly bytes: Buffer };

/** `GET /js/script.js`: the tracker, as built when the server started. */
export function addTrackerScriptRoute(server: Server): void {
  const forms = readForms();
  server.get(SCRIPT_PATH, { schema: { hide: true } }, (request, reply) => {
    if (isForLocalPage(request)) return sendWithWarning(forms, reply);
    const accepted = request.headers['accept-encoding'] ?? '';
    const form = forms.find(({ coding }) => coding === '' || isAccepted(accepted, coding));
    if (form !== undefined) return sendForm(form, request, reply);
    throw new RefusedRequest('not_found', 'The tracker is not built. Run "npm run prepare".');
  });
}

/** Empty if the script is not built. */
function readForms(): Form[] {
  const plain = new URL('script.js', FOLDER);
  if (!existsSync(plain)) return [];
  const digest = hash('sha256', readFileSync(plain)).slice(0, 16);
  return FORMS.flatMap(({ coding, name }) => {
    const path = new URL(name, FOLDER);
    const etag = `"${digest}${coding && `-${coding}`}"`;
    return existsSync(path) ? [{ coding, etag, bytes: readFileSync(path) }] : [];
  });
}

const WARNING = `{let{dataset:a}=document.currentScript??{};a&&!("allowLocalhost"in a)&&console.warn("Tributary does not track pages on localhost. To try it here, add data-allow-localhost to its script tag.")}`;

/** Whether the page is on localhost, where the script is silent unless its tag says otherwise. */
function isForLocalPage({ headers: { referer } }: FastifyRequest): boolean {
  const host = referer === undefined ? undefined : URL.parse(referer)?.hostname;
  return host !== undefined && /localhost$|^(127\.|\[)/.test(host);
}

/** Sends the script with a line that explains its silence, which visitors never have to load. */
function sendWithWarning(forms: readonly Form[], reply: FastifyReply): FastifyReply {
  const plain = forms.find(({ coding }) => coding === '')?.bytes ?? '';
  return reply
    .headers({
      'content-type': 'text/javascript; charset=utf-8',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    })
    .send(`${WARNING}${plain}`);
}

function sendForm(
  { coding, etag, bytes }: Form,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  reply.headers({
    'cache-control': 'public, max-age=3600',
    vary: 'accept-encoding',
    etag,
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  });
  if (isKnown(etag, headers)) return reply.code(304).send();
  if (coding !== '') reply.header('content-encoding', coding);
  return reply.header('content-type', 'text/javascript; charset=utf-8').send(bytes);
}

/** Source: RFC 9110, section 12.5.3: a weight of 0 means "not acceptable". */
function isAccepted(header: string | string[], coding: string): boolean {
  const offers = String(header).toLowerCase().split(',');
  const offer = offers.find((each) => each.trim().split(';')[0]?.trim() === coding);
  return offer !== undefined && !/;\s*q=0(\.0*)?\s*$/.test(offer);
}
