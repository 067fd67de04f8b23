import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RefusedRequest } from './errors/errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether pages of any origin may read the responses of the route's path. */
    readonly isForAnyOrigin?: boolean;
  }
}

const PLAUSIBLE_V1 = /^\/api\/v1\/stats\//;
/** Where the scripts of other tools send events. */
const OTHER_TOOLS =
  /^\/(api\/(event|send|collect|track|hit)|(matomo|piwik)\.php|([grj]\/|mp\/)?collect|count|hit|e)\/?$/;

/**
 * Answers requests for unknown paths, and for methods that a path does not support. Browsers get the
 * page that `findPage` returns.
 */
export function answerNotFound(
  server: FastifyInstance,
  findPage: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined,
): void {
  const methodsByPath = new Map<string, Set<string>>();
  const pathsForAnyOrigin = new Set<string>();
  server.addHook('onRoute', ({ url, method, config }) => {
    if (config?.isForAnyOrigin === true) pathsForAnyOrigin.add(url);
    const methods = methodsByPath.get(url) ?? new Set();
    for (const each of [method].flat()) methods.add(each);
    methodsByPath.set(url, methods);
  });
  /** For the method QUERY, Fastify checks the content type before it checks the path. */
  server.addHook('onRequest', (request, _reply, done) => {
    if (request.method === 'QUERY') refuse(request);
    done();
  });
  server.setNotFoundHandler((request, reply) => findPage(request, reply) ?? refuse(request));

  function refuse(request: FastifyRequest): never {
    const path = request.url.split('?', 1)[0] ?? '';
    const methods = methodsByPath.get(path) ?? findByPattern(methodsByPath, path);
    if (methods === undefined) {
      throw new RefusedRequest('not_found', `There is nothing at this path. ${toAdvice(path)}`);
    }
    const allow = [...methods].sort().join(', ');
    throw new RefusedRequest('method_not_allowed', `This path only supports ${allow}.`, {
      headers: {
        allow,
        ...(pathsForAnyOrigin.has(path) && { 'access-control-allow-origin': '*' }),
      },
    });
  }
}

function toAdvice(path: string): string {
  if (PLAUSIBLE_V1.test(path)) {
    return "Send queries of Plausible's Stats API v2 to POST /api/v2/query; v1 is not supported.";
  }
  return OTHER_TOOLS.test(path)
    ? "Use Tributary's script instead of another tool's, or send events to POST /api/v1/events."
    : 'See /docs for the API.';
}

/** The methods of a path with parameters, such as `/visitors/:id`. */
function findByPattern(
  methodsByPath: ReadonlyMap<string, Set<string>>,
  path: string,
): Set<string> | undefined {
  const steps = path.split('/');
  for (const [pattern, methods] of methodsByPath) {
    if (!pattern.includes('/:')) continue;
    const wanted = pattern.split('/');
    const fits = (step: string, index: number) => step.startsWith(':') || step === steps[index];
    if (wanted.length === steps.length && wanted.every(fits)) return methods;
  }
  return undefined;
}
