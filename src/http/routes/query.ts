import type { preValidationHookHandler } from 'fastify';
import Type from 'typebox';
import { errorAnswers } from '#contract/error.ts';
import { Query, QueryAnswer } from '#contract/query.ts';
import type { SiteDirectory } from '#ingest/ports.ts';
import type { Report } from '#report/answer-query.ts';
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
      async handler(request) {
        const site = sites.findSite(keyOf(request).siteId);
        if (site === undefined) throw ofAnotherSite(); // Removed a moment ago.
        const { body: query, validationError: error } = request;
        if (error instanceof RefusedRequest) {
          throw refuseFaults([
            ...error.details,
            ...report.findMoreFaults(site, query, error.details),
          ]);
        }
        const answer = await report.answer(site, query);
        if (!answer.ok) throw refuseFaults(answer.error.details);
        return answer.value;
      },
    });
  }
}

function ofAnotherSite(): RefusedRequest {
  return new RefusedRequest('forbidden', 'The key belongs to another site.');
}
