import type { IncomingHttpHeaders } from 'node:http';
import type { FastifySchema, onRequestHookHandler } from 'fastify';
import type { Scope } from '#contract/scope.ts';
import { JSON_CONTENT_TYPE } from '../answers/errors.ts';
import { type ApiKey, requireKey } from '../requests/authenticate.ts';
import { readJsonBody, requireJsonType } from '../requests/body.ts';
import { assertNamesOwn } from '../requests/read-params.ts';
import type { WriteDeps } from '../server/server-deps.ts';
import type { Server } from '../server/server-type.ts';

/** A write as its endpoint sees it, whichever way it came: by a route, or by the lane of writes. */
export type Write = {
  readonly headers: IncomingHttpHeaders;
  /** The caller's key; null where the endpoint needs none and none came. */
  readonly apiKey: ApiKey | null;
  /** The JSON value of the body, of any form, and the body as it was sent. */
  readonly body: unknown;
  readonly bodyText: string;
  /** The sender, and the host that was addressed, as a trusted proxy reports them. */
  readonly ip: string;
  readonly host: string;
};

/** What answers a write that is recorded: JSON, and the headers of this answer alone. */
export type WriteAnswer = {
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** An endpoint that records what it is sent, and answers once it is on disk. */
export type WriteEndpoint = {
  readonly path: string;
  /** What a key must be allowed to do. */
  readonly scope: Scope;
  /** Whether pages of any site write here without a key, their beacons as text. */
  readonly isForBrowsers: boolean;
  readonly bodyMaxBytes: number;
  /** Throws RefusedRequest, and UnavailableError when nothing could be recorded. */
  answer(write: Write): Promise<WriteAnswer>;
};

/** Adds the endpoint's route, and answers it. `schema` is for readers: the endpoint checks what it is sent itself. */
export function addWriteRoute(
  server: Server,
  { keys, sites, limitWrites }: WriteDeps,
  plain: WriteEndpoint,
  schema: FastifySchema,
): WriteEndpoint {
  const { path, scope, isForBrowsers, bodyMaxBytes } = plain;
  const endpoint: WriteEndpoint = {
    ...plain,
    async answer(write) {
      assertNamesOwn(sites, write.body, write.apiKey);
      return plain.answer(write);
    },
  };
  server.route({
    method: 'POST',
    url: path,
    bodyLimit: bodyMaxBytes,
    config: { isForAnyOrigin: isForBrowsers },
    onRequest: [
      ...(isForBrowsers ? [allowAnyOrigin] : []),
      requireKey(keys, scope, { isOptional: isForBrowsers }),
      requireJsonType({ beacons: isForBrowsers }),
      ...limitWrites,
    ],
    preValidation: readJsonBody(),
    validatorCompiler: () => () => true,
    schema,
    async handler(request, reply) {
      const { text, headers = {} } = await endpoint.answer(request);
      return reply.headers(headers).header('content-type', JSON_CONTENT_TYPE).send(text);
    },
  });
  return endpoint;
}

/** Pages of every site post here; no cookie and no credential of theirs comes along. */
export const ANY_ORIGIN = ['access-control-allow-origin', '*'] as const;

/** A hook that lets pages of every site read the answer. */
export const allowAnyOrigin: onRequestHookHandler = (_request, reply, done) => {
  reply.header(...ANY_ORIGIN);
  done();
};
