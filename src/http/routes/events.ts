import type { FastifyReply, onRequestHookHandler } from 'fastify';
import Type from 'typebox';
import { createChecker } from '#contract/checker.ts';
import { errorAnswers } from '#contract/error.ts';
import { EVENTS_MAX, EventBatch, EventRequest, EventsAnswer } from '#contract/event.ts';
import type { AcceptEvents } from '#ingest/accept-events.ts';
import { allowKey, type KeyDirectory } from '../authenticate.ts';
import {
  assertBodyWithin,
  BATCH_MAX_BYTES,
  BODY_MAX_BYTES,
  readJsonBody,
  requireJsonType,
} from '../body.ts';
import { readClientHeaders } from '../client-headers.ts';
import { refuseFaults } from '../errors.ts';
import { JSON_CONTENT_TYPE } from '../recorded.ts';
import type { Server } from '../server-type.ts';
import { toVisitorCookie } from '../visitor-cookie.ts';

/** What the route of events needs. */
export type EventRouteDeps = {
  readonly keys: KeyDirectory;
  readonly acceptEvents: AcceptEvents;
};

const URL_PATH = '/api/v1/events';
const ONE_ACCEPTED = '{"status":"success","accepted":1,"dropped":[]}';
const batchChecker = createChecker(EventBatch);

/** `POST /api/v1/events`: browsers of any site, and servers with a key, report what happened. */
export function addEventRoute(server: Server, { keys, acceptEvents }: EventRouteDeps): void {
  server.route({
    method: 'POST',
    url: URL_PATH,
    bodyLimit: BATCH_MAX_BYTES,
    config: { isForAnyOrigin: true },
    onRequest: [allowAnyOrigin, allowKey(keys, 'events:write'), requireJsonType({ beacons: true })],
    preValidation: readJsonBody,
    // An event's own faults cost that event only, so its form is checked where the verdicts fall.
    validatorCompiler: () => () => true,
    schema: {
      operationId: 'createEvents',
      summary: 'Record events of visitors',
      description:
        'One event, or a batch. Each gets a verdict of its own. Sent as `application/json` or `text/plain`.',
      tags: ['events'],
      security: [{}, { key: ['events:write'] }],
      body: Type.Union([EventRequest, BatchOfEvents]),
      response: {
        200: EventsAnswer,
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
      const body: unknown = request.body;
      const events = toEvents(body);
      if (!isBatch(body)) assertBodyWithin(request, BODY_MAX_BYTES);
      const { accepted, dropped, visitor } = await acceptEvents({
        events,
        sender: {
          ...readClientHeaders(request.headers),
          address: request.ip,
          trustedSiteId: request.apiKey?.siteId,
        },
      });
      if (visitor?.isCookieless) {
        const { id: service_visitor_id } = visitor;
        const answer = { status: 'success', accepted, dropped, service_visitor_id };
        return send(reply, JSON.stringify(answer));
      }
      const cookie = visitor && toVisitorCookie(visitor, request);
      if (cookie !== undefined) reply.header('set-cookie', cookie);
      return send(
        reply,
        accepted === 1 && dropped.length === 0
          ? ONE_ACCEPTED
          : JSON.stringify({ status: 'success', accepted, dropped }),
      );
    },
  });

  server.route({
    method: 'OPTIONS',
    url: URL_PATH,
    onRequest: allowAnyOrigin,
    schema: { hide: true },
    handler: (_request, reply) =>
      reply
        .headers({
          'access-control-allow-methods': 'POST',
          'access-control-allow-headers': 'content-type',
          'access-control-max-age': '86400',
        })
        .code(204)
        .send(),
  });
}

const BatchOfEvents = Type.Object({
  events: Type.Array(EventRequest, { minItems: 1, maxItems: EVENTS_MAX }),
});

/** Pages of every site post here; no cookie and no credential of theirs comes along. */
const allowAnyOrigin: onRequestHookHandler = (_request, reply, done) => {
  reply.header('access-control-allow-origin', '*');
  done();
};

function isBatch(body: unknown): body is { readonly events: unknown } {
  return typeof body === 'object' && body !== null && 'events' in body;
}

function toEvents(body: unknown): readonly unknown[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw refuseFaults([{ path: '', message: 'must be an object' }]);
  }
  if (!isBatch(body)) return [body];
  if (!batchChecker.isValid(body)) throw refuseFaults(batchChecker.findFaults(body));
  return body.events;
}

function send(reply: FastifyReply, answer: string): FastifyReply {
  return reply.header('content-type', JSON_CONTENT_TYPE).send(answer);
}
