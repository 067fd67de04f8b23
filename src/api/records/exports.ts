import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  EXPORT_FORMATS,
  EXPORT_PARAMS,
  EXPORT_TYPES,
  EXPORTS,
  ExportAnswer,
  ExportParams,
  ExportPath,
  hasPersonal,
} from '#contract/exports.ts';
import type { Fault } from '#contract/fault.ts';
import type { FileExports, FileParts } from '#report/exports/create-exports.ts';
import { abortOnDisconnect } from '#server/connections/abort-on-disconnect.ts';
import { refuseFaults } from '#server/errors/errors.ts';
import { type Credential, keyOf } from '#server/requests/authenticate.ts';
import { type FindsSites, readChoice, readEnds, readParams } from '#server/requests/read-params.ts';
import type { Server } from '#server/server-type.ts';
import { addKeyRoute, type ReadAccess } from '../key-route.ts';
import { accepted, siteOf } from '../queries/report-route.ts';
import { isPersonal } from '../queries/stories.ts';

const NAMES = Object.keys(EXPORT_PARAMS) as (keyof typeof EXPORT_PARAMS)[];

/** Records in the audit log that personal data was exported: by whose key or session, and what. */
export type NoteExport = (key: Credential, about: string) => Promise<void>;

/** `GET /api/v1/exports/{content}`. */
export function addExportRoute(
  server: Server,
  access: ReadAccess & { readonly noteExport: NoteExport },
  exports: FileExports,
): void {
  addKeyRoute(server, access.keys, 'GET /api/v1/exports/:content', 'stats:read', {
    operation: ['export', 'Export everything of a period as a file'],
    description:
      'All rows of the period, streamed, in order of time: `events`, `visits` that began in it, `payments` made in it (the latest first), and `persons` who did something in it. E-mail addresses, names, traits and values of click ids also need the scope `visitors:read`. If something fails midway, the connection is cut without a final chunk. See docs/metrics.md#exports.',
    tags: ['queries'],
    params: ExportPath,
    querystring: ExportParams,
    answer: ExportAnswer,
    limits: access.limitReads,
    async handle({ request, reply, siteId, params }) {
      const site = siteOf(access, siteId);
      const asked = readExport(request, access.sites, params.content);
      return abortOnDisconnect(reply, async (stops) => {
        const isWhole = isPersonal(request);
        const parts = accepted(await exports.open(site, { ...asked, isPersonal: isWhole, stops }));
        if (isWhole && hasPersonal(asked.content)) {
          await access.noteExport(keyOf(request), describe(asked));
        }
        reply.header('content-disposition', 'attachment');
        return sendParts(reply.type(EXPORT_TYPES[asked.format]), parts);
      });
    },
  });
}

/** `persons of 30d`, `events of 2026-11-01 to 2026-11-30`. */
function describe({ content, date_range }: ReturnType<typeof readExport>): string {
  return `${content} of ${[date_range].flat().join(' to ')}`;
}

/** Sends a file as it is made. What fails before the first part is answered as any error. */
export async function sendParts(reply: FastifyReply, parts: FileParts): Promise<FastifyReply> {
  const first = await parts.next();
  async function* all() {
    if (first.done !== true) yield first.value;
    yield* parts;
  }
  return reply.send(Readable.from(all(), { objectMode: false }));
}

/** Reads what to export. Throws a refusal that lists every fault. */
function readExport(request: FastifyRequest, sites: FindsSites, named: string) {
  const sent = readParams(request, sites, NAMES);
  const faults: Fault[] = [];
  const content = readChoice('content', named, EXPORTS, faults);
  const format = readChoice('format', sent.format ?? 'csv', EXPORT_FORMATS, faults);
  const bots = readChoice('bots', sent.bots, ['true'], faults) !== undefined;
  const date_range = readEnds(sent, 'date_range', faults) ?? sent.date_range ?? 'all';
  if (content === undefined || format === undefined || faults.length > 0) {
    throw refuseFaults(faults);
  }
  return { content, format, date_range, timezone: sent.timezone, bots };
}
