import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { FAULTS_MAX } from '#contract/checker.ts';
import type { Result } from '#domain/result.ts';
import type { Refusal, ReportSite, Stops } from '#report/ports.ts';
import type { QueryKind } from '#report/query/answer/query-kind.ts';
import { type At, addRoute, type Route } from '#server/add-route.ts';
import { abortOnDisconnect } from '#server/connections/abort-on-disconnect.ts';
import { RefusedRequest, refuseFaults } from '#server/errors/errors.ts';
import { keyOf, requireKey } from '#server/requests/authenticate.ts';
import { readQuery } from '#server/requests/read-json.ts';
import { ofAnotherSite } from '#server/requests/read-params.ts';
import type { Server } from '#server/server-type.ts';
import type { KeyAccess, ReadAccess } from '../key-route.ts';

/** What a read of recorded events is allowed by, and how many seconds the oldest has waited for the warehouse. */
export type QueryAccess = ReadAccess & { readonly behindSeconds: () => number };

/** The context of a query: request, reply, and the signal that aborts it. */
export type Exchange = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly stops: Stops;
  /** See {@link createNoteBehind}. */
  noteBehind<Answer>(answer: Answer): Answer;
};

/** A kind of query: its description, schemas and handler. */
type QueryRoute<Asked extends TSchema> = {
  readonly operation: readonly [id: string, summary: string];
  readonly description: string;
  readonly asked: Asked;
  readonly answer: TSchema;
  readonly findMoreFaults: QueryKind<Static<Asked>, unknown>['findMoreFaults'];
  /** Whether shared links may send it. If so, `respond` must limit what they show. */
  readonly isForShares?: boolean;
  /** Returns the answer, which is sent as JSON, or the reply if it sent something itself. */
  respond(site: ReportSite, asked: Static<Asked>, exchange: Exchange): Promise<unknown>;
};

/** Adds the route for one kind of query. */
export function addQueryRoute<Asked extends TSchema>(
  server: Server,
  access: QueryAccess,
  at: At,
  { asked, answer, findMoreFaults, isForShares = false, respond, ...described }: QueryRoute<Asked>,
): void {
  const noteBehind = createNoteBehind(access.behindSeconds);
  const allow = [requireKey(access.keys, 'stats:read', { isForShares })];
  const route: Route<TSchema, TSchema, TSchema> = {
    ...described,
    tags: ['queries'],
    security: [{ key: ['stats:read'] }, ...(isForShares ? [{ share: [] }] : [])],
    body: asked,
    answer: { ...answer, description: 'The result.' },
    limits: access.limitReads,
    isRead: true,
    readBody: readQuery,
    attachValidation: true, // The schema's faults are reported together with all others.
    handle({ request, reply, body }) {
      const site = siteOf(access, keyOf(request).siteId);
      const { validationError: error } = request;
      if (error instanceof RefusedRequest) {
        const isCut = error.details.length === FAULTS_MAX;
        const more = isCut ? [] : findMoreFaults(site, body, error.details);
        throw refuseFaults([...error.details, ...more]);
      }
      return abortOnDisconnect(reply, async (stops) => {
        const exchange = { request, reply, stops, noteBehind };
        return noteBehind(await respond(site, body as Static<Asked>, exchange));
      });
    },
  };
  addRoute(server, at, allow, route, () => ({}));
}

/** Events usually wait for about a second; only longer delays are reported. */
const BEHIND_MIN_SECONDS = 10;

/** Creates the function that adds `behind_seconds` to an answer's `meta`, if events have waited for long. */
export function createNoteBehind(behindSeconds: () => number) {
  return <Answer>(answer: Answer): Answer => {
    const seconds = behindSeconds();
    const { meta } = (answer ?? {}) as { readonly meta?: object };
    if (seconds <= BEHIND_MIN_SECONDS || meta === undefined) return answer;
    return { ...answer, meta: { ...meta, behind_seconds: seconds } };
  };
}

/** The site of a key. Throws if it has just been removed. */
export function siteOf({ sites }: Pick<KeyAccess, 'sites'>, siteId: string): ReportSite {
  const site = sites.findSite(siteId);
  if (site === undefined) throw ofAnotherSite();
  return site;
}

/** Unwraps the answer. Throws a {@link RefusedRequest} if the query was refused. */
export function accepted<T>(answer: Result<T, Refusal>): T {
  if (!answer.ok) throw refuseFaults(answer.error.details);
  return answer.value;
}
