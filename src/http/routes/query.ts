import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest, preValidationHookHandler } from 'fastify';
import Type from 'typebox';
import { errorAnswers } from '#contract/error.ts';
import { Query, QueryAnswer } from '#contract/query.ts';
import type { SiteDirectory } from '#ingest/ports.ts';
import type { Report } from '#report/answer-query.ts';
import type { ReportSite } from '#report/ports.ts';
import {
  ANSWER_TYPES,
  type AnswerType,
  chooseAnswerType,
  toCsv,
  toNdjson,
} from '../answer-formats.ts';
import { type KeyDirectory, keyOf, requireKey } from '../authenticate.ts';
import { BODY_MAX_BYTES, readJsonBody, requireJsonType } from '../body.ts';
import { RefusedRequest, refuseFaults } from '../errors.ts';
import type { Server } from '../server-type.ts';

/** What the route of questions needs. */
export type QueryRouteDeps = {
  readonly keys: KeyDirectory;
  readonly sites: SiteDirectory;
  readonly report: Report;
  /** For each key; 0 for no limit. */
  readonly readsPerMinute: number;
};

const Answer = Type.Object(QueryAnswer.properties, { description: 'The answer.' });

/** `POST /api/v1/query`, and `/api/v2/query` for tools that know the shape from elsewhere. */
export function addQueryRoutes(server: Server, deps: QueryRouteDeps): void {
  const { keys, sites, report, readsPerMinute } = deps;
  /** Before the body's form is looked at: a key learns nothing of other sites. */
  const refuseOtherSites: preValidationHookHandler = (request, _reply, done) => {
    const { site_id: named } = (request.body ?? {}) as { readonly site_id?: unknown };
    // A site that is not there answers as another's does: keys cannot find out which exist.
    if (typeof named === 'string' && sites.findSite(named)?.id !== keyOf(request).siteId) {
      throw ofAnotherSite();
    }
    done();
  };
  for (const url of ['/api/v1/query', '/api/v2/query']) {
    server.route({
      method: 'POST',
      url,
      bodyLimit: BODY_MAX_BYTES,
      config: { isRead: true, ...(readsPerMinute > 0 && { rateLimit: { max: readsPerMinute } }) },
      onRequest: [requireKey(keys, 'stats:read'), requireJsonType({ beacons: false })],
      preValidation: [readJsonBody, refuseOtherSites],
      attachValidation: true, // The schema's faults are told together with all others.
      schema: {
        operationId: url === '/api/v1/query' ? 'query' : 'queryV2',
        summary: 'Ask about visitors, goals and revenue',
        description: "The shape of Plausible's Stats API v2, with attribution and money.",
        tags: ['questions'],
        security: [{ key: ['stats:read'] }],
        body: Query,
        response: {
          200: Answer,
          ...errorAnswers(
            'invalid_json',
            'invalid_request',
            'unauthorized',
            'forbidden',
            'request_too_large',
            'unsupported_media_type',
            'rate_limited',
            'internal',
            'unavailable',
          ),
        },
      },
      async handler(request, reply) {
        const site = sites.findSite(keyOf(request).siteId);
        if (site === undefined) throw ofAnotherSite(); // Removed a moment ago.
        const { body: query, validationError: error } = request;
        if (error instanceof RefusedRequest) {
          throw refuseFaults([
            ...error.details,
            ...report.findMoreFaults(site, query, error.details),
          ]);
        }
        const type = chooseAnswerType(request.headers.accept);
        const body = await toBody(report, site, query, type);
        return sendBody(request, reply, { ...body, type });
      },
    });
  }
}

type Body = {
  readonly text: string | Buffer;
  /** What stands in an answer's `meta` otherwise. */
  readonly headers: Readonly<Record<string, string>>;
};

/** The answer in the wanted form. Throws a {@link RefusedRequest} when the question is refused. */
async function toBody(
  report: Report,
  site: ReportSite,
  query: Query,
  type: AnswerType,
): Promise<Body> {
  const format = ANSWER_TYPES[type];
  if (format === 'Parquet' || format === 'Arrow' || format === 'ArrowStream') {
    const file = await report.answerFile(site, query, format);
    if (!file.ok) throw refuseFaults(file.error.details);
    return { text: file.value, headers: {} };
  }
  const answer = await report.answer(site, query);
  if (!answer.ok) throw refuseFaults(answer.error.details);
  if (format === 'json') return { text: JSON.stringify(answer.value), headers: {} };
  const { next_cursor: cursor, total_rows: total } = answer.value.meta;
  return {
    text: format === 'csv' ? toCsv(answer.value) : toNdjson(answer.value),
    headers: {
      ...(cursor !== undefined && { 'x-next-cursor': cursor }),
      ...(total !== undefined && { 'x-total-rows': String(total) }),
    },
  };
}

/**
 * Sends an answer, or 304 when the caller has this very one.
 *
 * Why the tag is of the answer itself: facts may arrive late and change any period, closed or not.
 */
function sendBody(
  request: FastifyRequest,
  reply: FastifyReply,
  { text, headers, type }: Body & { readonly type: AnswerType },
): FastifyReply {
  const tag = `"${hash('sha256', text, 'base64url').slice(0, 27)}"`;
  const isText = type.startsWith('text/') || type.endsWith('json');
  reply.headers({
    ...headers,
    etag: tag,
    'cache-control': 'private, no-cache',
    vary: 'accept, authorization',
    'content-type': isText ? `${type}; charset=utf-8` : type,
  });
  const known = request.headers['if-none-match']?.split(',').map((each) => each.trim()) ?? [];
  if (known.some((each) => each === tag || each === `W/${tag}`)) return reply.code(304).send();
  return reply.send(text);
}

function ofAnotherSite(): RefusedRequest {
  return new RefusedRequest('forbidden', 'The key belongs to another site.');
}
