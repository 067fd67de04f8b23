import type { IncomingHttpHeaders } from 'node:http';
import type {
  FastifyInstance,
  FastifySchemaCompiler,
  onRequestHookHandler,
  preValidationHookHandler,
} from 'fastify';
import type { TSchema } from 'typebox';
import { type Checker, createChecker } from '#contract/checker.ts';
import { RefusedRequest, refuseFaults } from '../answers/errors.ts';
import { readJson } from './read-json.ts';

/** The largest body of a request. */
export const BODY_MAX_BYTES = 64 * 1024;
/** The largest body with a batch of events. */
export const BATCH_MAX_BYTES = 1024 * 1024;

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it was sent; its JSON value is `body`. */
    bodyText: string;
  }
}

const JSON_TYPE = /^application\/json[ \t]*(;|$)/i;
const TEXT_TYPE = /^text\/plain[ \t]*(;|$)/i;

/** Takes bodies as bytes, whatever their type: the hooks of each route say what they must be. */
export function takeBodiesAsBytes(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => {
    done(null, bytes);
  });
  server.decorateRequest('bodyText', '');
}

/** A hook that lets only JSON pass, and text that claims to be JSON where beacons are expected. */
export function requireJsonType(options: { beacons: boolean }): onRequestHookHandler {
  return ({ headers }, _reply, done) => {
    if (!isJsonType(headers, options)) throw refuseType(headers, options);
    done();
  };
}

/** Whether that hook lets a request with these headers pass. */
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

/** A hook that turns the body's bytes into the JSON value they hold. */
export function readJsonBody(depthMax?: number): preValidationHookHandler {
  return (request, _reply, done) => {
    const { body } = request;
    const { text, value } = readJson(Buffer.isBuffer(body) ? body : Buffer.alloc(0), depthMax);
    request.bodyText = text;
    request.body = value;
    done();
  };
}

/**
 * Checks bodies against their route's schema, and refuses with every fault at once.
 *
 * - Why not headers too: their schemas are for OpenAPI; the reader of a header checks it.
 */
export const checkSchema: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  if (httpPart !== 'body') return () => true;
  const checker = createChecker(schema);
  return (value: unknown) =>
    checker.isValid(value) ? true : { error: refuseFaults(checker.findFaults(value)) };
};

/** The body in the form of its schema. Throws a {@link RefusedRequest} with every fault. */
export function parseBody<Value>(checker: Checker<Value>, body: unknown): Value {
  if (!checker.isValid(body)) throw refuseFaults(checker.findFaults(body));
  return body;
}

/** A body within the limit of its endpoint, and yet too large for what it is. */
export function assertBodyWithin(bodyText: string, maxBytes: number): void {
  if (bodyText.length > maxBytes || Buffer.byteLength(bodyText) > maxBytes) {
    throw new RefusedRequest('request_too_large', `The body is larger than ${maxBytes} bytes.`);
  }
}
