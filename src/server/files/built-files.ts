import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RefusedRequest } from '../errors/errors.ts';
import { isKnown } from './etag.ts';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.html': 'text/html; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
};

/** The forms of a file, smallest first, and how their names end. */
const CODINGS = [
  { coding: 'br', ending: '.br' },
  { coding: 'gzip', ending: '.gz' },
  { coding: '', ending: '' },
] as const;

type BuiltFiles = ReadonlyMap<string, Buffer>;

/** Reads a folder of `dist`. Empty if it is not built. */
export function readBuiltFiles(name: string): BuiltFiles {
  const folder = fileURLToPath(new URL(`../../../dist/${name}/`, import.meta.url));
  if (!existsSync(folder)) return new Map();
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.replaceAll('//', '/'));
  return new Map(paths.map((path) => [path.slice(folder.length), readFileSync(path)]));
}

/**
 * Sends a file in the smallest form that the caller accepts, or 304 if the caller has it.
 *
 * - Throws RefusedRequest if it is not built.
 */
export function sendBuiltFile(
  files: BuiltFiles,
  name: string,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const accepted = headers['accept-encoding'] ?? '';
  const form = CODINGS.find(
    ({ coding, ending }) =>
      (coding === '' || isAccepted(accepted, coding)) && files.has(name + ending),
  );
  const bytes = form && files.get(name + form.ending);
  if (bytes === undefined) {
    throw new RefusedRequest('not_found', `${name} is not built. Run "npm run prepare".`);
  }
  const etag = `"${hash('sha256', bytes).slice(0, 16)}"`;
  reply.header('etag', etag);
  if (isKnown(etag, headers)) return reply.code(304).send();
  if (form?.coding) reply.header('content-encoding', form.coding);
  const type = CONTENT_TYPES[extname(name)] ?? 'application/octet-stream';
  return reply.header('content-type', type).send(bytes);
}

/** Source: RFC 9110, section 12.5.3: a weight of 0 means "not acceptable". */
function isAccepted(header: string | string[], coding: string): boolean {
  const offers = String(header).toLowerCase().split(',');
  const offer = offers.find((each) => each.trim().split(';')[0]?.trim() === coding);
  return offer !== undefined && !/;\s*q=0(\.0*)?\s*$/.test(offer);
}
