import type { onRequestHookHandler, preValidationHookHandler } from 'fastify';
import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { bodyErrors } from '#contract/error.ts';
import type { Fault } from '#contract/fault.ts';
import type { Result } from '#domain/result.ts';
import type { SiteDirectory } from '#ingest/ports.ts';
import type { ReportSite } from '#report/ports.ts';
import type { QueryKind } from '#report/query/query-kind.ts';
import type { Refusal } from '#report/refusal.ts';
import { RefusedRequest, refuseFaults } from '../answers/errors.ts';
import { JSON_CONTENT_TYPE } from '../answers/recorded.ts';
import { whileThere } from '../answers/while-there.ts';
import { type KeyDirectory, keyOf, requireKey } from '../requests/authenticate.ts';
import { BODY_MAX_BYTES, readQueryBody, requireJsonType } from '../requests/body.ts';
import type { Server } from '../server/server-type.ts';

/** What the routes of queries and reports need besides what answers them. */
export type ReadRouteDeps = {
  readonly keys: KeyDirectory;
  readonly sites: SiteDirectory;
  /** Hooks behind the one that finds the key: all its queries count together. */
  readonly limitReads: readonly onRequestHookHandler[];
};

/** What a route of queries refuses, in the order of the contract's table. */
export const QUERY_ERRORS = bodyErrors();

/** The address of a report and its description. */
export type ReportRoute<Asked extends TSchema, Answer extends TSchema> = {
  readonly url: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly asked: Asked;
  readonly answer: Answer;
  readonly kind: QueryKind<Static<Asked>, Static<Answer>>;
};

/** A route that answers one kind of report with JSON. */
export function addReportRoute<Asked extends TSchema, Answer extends TSchema>(
  server: Server,
  deps: ReadRouteDeps,
  { url, kind, asked, answer, ...described }: ReportRoute<Asked, Answer>,
): void {
  server.route({
    method: 'POST',
    url,
    ...queryOptions(deps),
    schema: {
      ...described,
      tags: ['queries'],
      security: [{ key: ['stats:read'] }],
      body: asked as TSchema,
      response: { 200: toResponse(answer), ...QUERY_ERRORS },
    },
    async handler(request, reply) {
      const site = siteOf(deps, keyOf(request).siteId);
      refuseMalformed(request, (faults) => kind.findMoreFaults(site, request.body, faults));
      return whileThere(reply, async (stops) => {
        const found = accepted(await kind.answer(site, request.body as Static<Asked>, stops));
        return reply.header('content-type', JSON_CONTENT_TYPE).send(JSON.stringify(found));
      });
    },
  });
}

/** What every route of queries does before its handler. */
export function queryOptions({ keys, sites, limitReads }: ReadRouteDeps) {
  /** Before the body's form is looked at: a key learns nothing of other sites. */
  const refuseOtherSites: preValidationHookHandler = (request, _reply, done) => {
    const { site_id: named } = (request.body ?? {}) as { readonly site_id?: unknown };
    // A site that is not there answers as another's does: keys cannot find out which exist.
    if (typeof named === 'string' && sites.findSite(named)?.id !== keyOf(request).siteId) {
      throw ofAnotherSite();
    }
    done();
  };
  return {
    bodyLimit: BODY_MAX_BYTES,
    config: { isRead: true },
    onRequest: [requireKey(keys, 'stats:read'), requireJsonType({ beacons: false }), ...limitReads],
    preValidation: [readQueryBody, refuseOtherSites],
    attachValidation: true, // The schema's faults are reported together with all others.
  };
}

/** The site of a key. Throws when it was removed a moment ago. */
export function siteOf({ sites }: ReadRouteDeps, siteId: string): ReportSite {
  const site = sites.findSite(siteId);
  if (site === undefined) throw ofAnotherSite();
  return site;
}

/** Throws what a body was refused for by its schema, with the faults that are found besides. */
export function refuseMalformed(
  { validationError: error }: { readonly validationError?: Error },
  findMoreFaults: (faults: readonly Fault[]) => readonly Fault[],
): void {
  if (!(error instanceof RefusedRequest)) return;
  throw refuseFaults([...error.details, ...findMoreFaults(error.details)]);
}

/** The answer. Throws a {@link RefusedRequest} when the query is refused. */
export function accepted<T>(answer: Result<T, Refusal>): T {
  if (!answer.ok) throw refuseFaults(answer.error.details);
  return answer.value;
}

function ofAnotherSite(): RefusedRequest {
  return new RefusedRequest('forbidden', 'The key belongs to another site.');
}

/** Without the schema's own description. */
function toResponse({ properties = {} }: TSchema & { properties?: TProperties }): TSchema {
  return Type.Object(properties, { description: 'The answer.' });
}
