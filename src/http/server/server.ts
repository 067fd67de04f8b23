import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { ERROR_TYPES } from '#contract/error.ts';
import { JSON_CONTENT_TYPE, RefusedRequest, refuse, toErrorBody } from '../answers/errors.ts';
import { BODY_MAX_BYTES, checkSchema, takeBodiesAsBytes } from '../requests/body.ts';
import { hasTwoHosts } from '../requests/has-two-hosts.ts';
import { withSessions } from '../requests/people.ts';
import { createRateLimit, toHooks } from '../requests/rate-limit.ts';
import { refuseOtherSites } from '../requests/read-params.ts';
import { withShares } from '../requests/shares.ts';
import { addAccountRoutes } from '../routes/accounts/account-routes.ts';
import { readDashboard } from '../routes/dashboard.ts';
import { addDropRoute } from '../routes/drops.ts';
import { addEventRoutes } from '../routes/events.ts';
import { addGoalRoute } from '../routes/goals.ts';
import { addIdentifyRoute } from '../routes/identify.ts';
import { addLiveRoutes } from '../routes/live.ts';
import { addHealthRoutes, addMetricsRoute } from '../routes/operation.ts';
import { addPaymentChangeRoutes } from '../routes/payment-changes.ts';
import { addPaymentListRoutes } from '../routes/payment-list.ts';
import { addPaymentRoute } from '../routes/payments.ts';
import { addPeopleRoutes } from '../routes/people.ts';
import { addReportRoutes } from '../routes/report-routes.ts';
import { addTrackerScriptRoute } from '../routes/tracker-script.ts';
import { addVisitorRoutes } from '../routes/visitors.ts';
import { openWriteLane } from '../writes/write-lane.ts';
import { answerBrokenRequest, answerHalfClosed } from './broken-requests.ts';
import { cutOffUnread } from './cut-off-unread.ts';
import { limitConnections } from './limit-connections.ts';
import { countAnswers } from './metrics.ts';
import { openNeutralPaths } from './neutral-paths.ts';
import { answerNotFound } from './not-found.ts';
import { addDocs, describeRoutes } from './openapi.ts';
import { newRequestId } from './request-id.ts';
import type { ServerDeps, ServerSettings } from './server-deps.ts';
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

/** Adds all routes to a server, after which it is ready to listen. */
export async function addRoutes(server: Server, given: ServerDeps): Promise<void> {
  const keys = withShares(withSessions(given.keys, given), given);
  const deps = { ...given, keys };
  const { settings, metrics } = deps;
  const dashboard = readDashboard();
  answerNotFound(server, dashboard.sendPage);
  const countAnswer = countAnswers(server, metrics.registry);
  await describeRoutes(server, settings.baseUrl ?? '/');
  const { rateLimitWrites: writes, rateLimitReads: reads } = settings;
  const limit = createRateLimit(
    writes,
    1_000,
    `A key or address may write ${writes} times a second.`,
  );
  const writeDeps = { ...deps, limitWrites: toHooks(limit) };
  refuseOtherSites(server, deps.sites);
  const writeEndpoints = [
    addGoalRoute(server, writeDeps),
    addPaymentRoute(server, writeDeps),
    ...addEventRoutes(server, writeDeps),
    addIdentifyRoute(server, writeDeps),
  ];
  limitWritesOfPeople(server);
  const readLimit = createRateLimit(reads, 60_000, `You may send ${reads} queries a minute.`);
  const readDeps = { ...deps, limitReads: toHooks(readLimit) };
  addDropRoute(server, readDeps);
  addVisitorRoutes(server, readDeps);
  addPaymentListRoutes(server, readDeps);
  addPaymentChangeRoutes(server, readDeps);
  addReportRoutes(server, readDeps);
  addPeopleRoutes(server, readDeps);
  addLiveRoutes(server, readDeps);
  addAccountRoutes(server, readDeps);
  addHealthRoutes(server, deps);
  addMetricsRoute(server, deps);
  addTrackerScriptRoute(server);
  dashboard.addRoutes(server);
  addDocs(server);
  const { trustedProxies } = settings;
  openWriteLane(server, writeEndpoints, {
    ...{ keys, limit, trustedProxies, countAnswer, onAnswered: deps.onAnswered },
  });
  openNeutralPaths(server.server, deps.sites);
  limitConnections(server.server, settings, server.log);
  await server.ready();
}

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
  server.decorateRequest('person', null);
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

/** Limits what each person writes in their sessions, whichever route it is. */
function limitWritesOfPeople(server: Server): void {
  const limit = createRateLimit(300, 60_000, 'A person may make 300 changes a minute.');
  server.addHook('preValidation', (request, _reply, done) => {
    const id = request.person?.id ?? request.apiKey?.personId;
    const refused = id && !isRead(request) && limit?.({ apiKey: { id }, ip: '' }).refused;
    if (refused) throw refused;
    done();
  });
}

/** The one place that turns failures of routes into responses. */
function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const route = request.routeOptions.url;
  const facts = { isRead: isRead(request), requestId: request.id, route };
  const refused = refuse(error, facts, request.log);
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

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route only reads, whatever its method. */
    readonly isRead?: boolean;
  }
}

function isRead(request: FastifyRequest): boolean {
  const { method } = request;
  return method === 'GET' || method === 'HEAD' || request.routeOptions.config?.isRead === true;
}
