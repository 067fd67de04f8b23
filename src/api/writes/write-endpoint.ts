import type { IncomingHttpHeaders } from 'node:http';
import type { FastifySchema, onRequestHookHandler } from 'fastify';
import type { KeyScope } from '#domain/site/scope.ts';
import { JSON_CONTENT_TYPE } from '#server/errors/errors.ts';
import { type Credential, requireKey } from '#server/requests/authenticate.ts';
import { parseJsonBody, requireJsonType } from '#server/requests/body.ts';
import { assertNamesOwn } from '#server/requests/read-params.ts';
import type { Server } from '#server/server-type.ts';
import type { KeyAccess } from '../key-route.ts';
import { readBody } from './read-batch.ts';

/** What a write is allowed by: its key, the site it names, and how often its sender may write. */
export type WriteAccess = KeyAccess & { readonly limitWrites: readonly onRequestHookHandler[] };

/** A write as its endpoint sees it, whether it came through the route or the fast path. */
export type Write = {
  readonly headers: IncomingHttpHeaders;
  /** The caller's key; null if the endpoint needs none and none was sent. */
  readonly apiKey: Credential | null;
  /** The body's JSON value, not validated yet, and the body as sent. */
  readonly body: unknown;
  readonly bodyText: string;
  /** The sender's address and the requested host, as reported by a trusted proxy. */
  readonly ip: string;
  readonly host: string;
  /** Whether the site's own server stated them. */
  readonly isForwarded?: boolean;
};

/** The response to a recorded write: JSON, and headers specific to this response. */
export type WriteAnswer = {
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** An endpoint that records a write, and responds once it is on disk. */
export type WriteEndpoint = {
  readonly path: string;
  /** The scope that a key needs. */
  readonly scope: KeyScope;
  /** Whether pages of any origin may write without a key, and send beacons as text. */
  readonly isForBrowsers: boolean;
  readonly bodyMaxBytes: number;
  /** Throws RefusedRequest, or UnavailableError if nothing could be recorded. */
  answer(write: Write): Promise<WriteAnswer>;
};

/** Adds the endpoint's route and returns the endpoint. `schema` is only for OpenAPI: the endpoint validates by itself. */
export function addWriteRoute(
  server: Server,
  { keys, sites, limitWrites }: WriteAccess,
  plain: WriteEndpoint,
  schema: FastifySchema,
): WriteEndpoint {
  const { path, scope, isForBrowsers, bodyMaxBytes } = plain;
  const endpoint: WriteEndpoint = {
    ...plain,
    answer(write) {
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
    preValidation: parseJsonBody(readBody),
    validatorCompiler: () => () => true,
    schema,
    async handler(request, reply) {
      const { text, headers = {} } = await endpoint.answer(request);
      return reply.headers(headers).header('content-type', JSON_CONTENT_TYPE).send(text);
    },
  });
  return endpoint;
}

/** The header that lets pages of any origin read the response; browsers then send no credentials. */
export const ANY_ORIGIN = ['access-control-allow-origin', '*'] as const;

/** A hook that lets pages of any origin read the response. */
export const allowAnyOrigin: onRequestHookHandler = (_request, reply, done) => {
  reply.header(...ANY_ORIGIN);
  done();
};
