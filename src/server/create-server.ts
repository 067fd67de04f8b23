import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { ERROR_TYPES } from '#contract/error.ts';
import { answerBrokenRequest, answerHalfClosed } from './connections/broken-requests.ts';
import { cutOffUnread } from './connections/cut-off-unread.ts';
import { hasTwoHosts } from './connections/has-two-hosts.ts';
import { newRequestId } from './connections/request-id.ts';
import { JSON_CONTENT_TYPE, logAndRefuse, RefusedRequest, toErrorBody } from './errors/errors.ts';
import { BODY_MAX_BYTES, checkSchema, takeBodiesAsBytes } from './requests/body.ts';
import { isRead } from './requests/is-read.ts';
import type { Server } from './server-type.ts';

/** Time limits for slow and half-open clients, checked every second. */
const HEADERS_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 10_000;
const CHECK_INTERVAL_MS = 1_000;
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
/** A client that reads nothing of a response for this long is cut off. */
const UNREAD_TIMEOUT_MS = 60_000;
/** The longest id in a path, a transaction's: 255 characters of four bytes, each percent-encoded. */
const PATH_PARAM_MAX_LENGTH = 255 * 4 * '%F0'.length;

type ServerSettings = {
  readonly trustedProxies: readonly string[];
  readonly logLevel: string;
};

/** Creates a server without routes, because its logger is needed before the routes' dependencies exist. */
export function createServer({ logLevel, trustedProxies }: ServerSettings): Server {
  const server: Server = fastify({
    // Logs go to stderr: stdout is for the commands' JSON. Requests are counted, not logged.
    logger: { level: logLevel, stream: process.stderr },
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger) => logger,
    genReqId: newRequestId,
    requestIdHeader: false,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
      requireHostHeader: false, // Node would refuse without a message; our error says what is missing.
    },
    bodyLimit: BODY_MAX_BYTES,
    routerOptions: { maxParamLength: PATH_PARAM_MAX_LENGTH },
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    return503OnClosing: false,
    exposeHeadRoutes: true,
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors(error, request, reply) {
      markAnswer(request, reply); // Hooks have not run for input that never became a request.
      sendError(error, request, reply);
    },
  }).withTypeProvider<TypeBoxTypeProvider>();

  takeBodiesAsBytes(server);
  answerHalfClosed(server.server);
  cutOffUnread(server.server, UNREAD_TIMEOUT_MS);
  // Unsupported expectations are ignored, and the request is handled.
  server.server.on('checkExpectation', (request, reply) => {
    server.server.emit('request', request, reply);
  });
  server.setValidatorCompiler(checkSchema);
  server.setSerializerCompiler(() => (value) => JSON.stringify(value));
  server.decorateRequest('apiKey', null);
  server.addHook('onRequest', (request, reply, done) => {
    markAnswer(request, reply);
    assertHost(request);
    done();
  });
  server.setErrorHandler(sendError);
  return server;
}

/** Source: RFC 9112, section 3.2. */
function assertHost({ raw }: FastifyRequest): void {
  if (hasTwoHosts(raw)) {
    throw new RefusedRequest('invalid_request', 'The request has more than one Host header.');
  }
  if (raw.headers.host !== undefined || raw.httpVersion !== '1.1') return;
  throw new RefusedRequest('invalid_request', 'The request has no Host header.');
}

/**
 * Sets the headers that every response carries. Through the framework, because one set of headers is fastest. What is
 * public says so itself, and is kept; everything else, and every error, is not.
 */
function markAnswer(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id);
  reply.header('x-content-type-options', 'nosniff');
  reply.header('cache-control', 'no-store');
}

/** The one place that turns failures of routes into responses. */
function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const route = request.routeOptions.url;
  const facts = { isRead: isRead(request), requestId: request.id, route };
  const refused = logAndRefuse(error, facts, request.log);
  if (isUnreadBody(error)) keepConnection(reply);
  return reply
    .code(ERROR_TYPES[refused.type].code)
    .headers(refused.headers)
    .header('content-type', JSON_CONTENT_TYPE)
    .header('cache-control', 'no-store')
    .send(toErrorBody(refused, request.id));
}

/** Whether the framework refused a body without reading it to its end. */
function isUnreadBody(error: unknown): boolean {
  return (error as { code?: unknown } | null | undefined)?.code === 'FST_ERR_CTP_BODY_TOO_LARGE';
}

/**
 * Keeps a connection that the framework would close with input unread, which would reset it before the response is
 * read. Node discards the rest of the body, for as long as a request may take.
 */
function keepConnection(reply: FastifyReply): void {
  const isClosing = reply.raw.hasHeader('connection'); // The server stops.
  if (!isClosing) reply.removeHeader('connection');
}
