import type { IncomingHttpHeaders } from 'node:http';
import type {
  FastifyInstance,
  FastifySchemaCompiler,
  onRequestHookHandler,
  preValidationHookHandler,
} from 'fastify';
import type { TSchema } from 'typebox';
import { type Checker, createChecker } from '#contract/checker.ts';
import { RefusedRequest, refuseFaults } from '../errors/errors.ts';
import { type JsonBody, readJson } from './read-json.ts';

/** The largest body of a request. */
export const BODY_MAX_BYTES = 64 * 1024;
/** The largest body with a batch of events. */
export const BATCH_MAX_BYTES = 1024 * 1024;

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as sent; `body` is its JSON value. */
    bodyText: string;
  }
}

const JSON_TYPE = /^application\/json[ \t]*(;|$)/i;
const TEXT_TYPE = /^text\/plain[ \t]*(;|$)/i;

/** Accepts bodies of any type as bytes; each route's hooks check the type. */
export function takeBodiesAsBytes(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => {
    done(null, bytes);
  });
  server.decorateRequest('bodyText', '');
}

/** A hook that requires a JSON body; with `beacons`, `text/plain` also passes. */
export function requireJsonType(options: { beacons: boolean }): onRequestHookHandler {
  return ({ headers }, _reply, done) => {
    if (!isJsonType(headers, options)) throw refuseType(headers, options);
    done();
  };
}

/** Whether a request with these headers passes that hook. */
export function isJsonType(headers: IncomingHttpHeaders, options: { beacons: boolean }): boolean {
  const { 'content-encoding': coding = 'identity' } = headers;
  return coding === 'identity' && isNamedJson(headers, options);
}

function isNamedJson(
  { 'content-type': type = '' }: IncomingHttpHeaders,
  { beacons }: { beacons: boolean },
): boolean {
  if (type === 'application/json' || JSON_TYPE.test(type)) return true;
  return beacons && TEXT_TYPE.test(type);
}

function refuseType(headers: IncomingHttpHeaders, options: { beacons: boolean }): RefusedRequest {
  const isCoded = isNamedJson(headers, options);
  return new RefusedRequest(
    'unsupported_media_type',
    isCoded ? 'The body must not be compressed.' : 'The Content-Type must be application/json.',
    isCoded ? { headers: { 'accept-encoding': 'identity' } } : {},
  );
}

/** Parses the bytes of a body as JSON. */
export type ReadsBody = (bytes: Buffer) => JsonBody | Promise<JsonBody>;

/** A hook that parses the body's bytes as JSON. */
export function parseJsonBody(
  read: ReadsBody = (bytes) => readJson(bytes),
): preValidationHookHandler {
  return async (request) => {
    const { body } = request;
    const { text, value } = await read(Buffer.isBuffer(body) ? body : Buffer.alloc(0));
    request.bodyText = text;
    request.body = value;
  };
}

/**
 * Validates bodies against their route's schema, and refuses with all faults at once.
 *
 * - Why not headers: their schemas are only for OpenAPI; the code that reads a header checks it.
 */
export const checkSchema: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  if (httpPart !== 'body') return () => true;
  const checker = createChecker(schema);
  return (value: unknown) =>
    checker.isValid(value) ? true : { error: refuseFaults(checker.findFaults(value)) };
};

/** Returns the body if it matches its schema. Throws a {@link RefusedRequest} with every fault. */
export function parseBody<Value>(checker: Checker<Value>, body: unknown): Value {
  if (!checker.isValid(body)) throw refuseFaults(checker.findFaults(body));
  return body;
}
