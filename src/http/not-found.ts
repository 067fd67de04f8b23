import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RefusedRequest } from './errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether pages of any site may read the answers of the route's path. */
    readonly isForAnyOrigin?: boolean;
  }
}

/** Answers for paths that are not there, and for methods that a path does not have. */
export function answerNotFound(server: FastifyInstance): void {
  const methodsByPath = new Map<string, Set<string>>();
  const pathsForAnyOrigin = new Set<string>();
  server.addHook('onRoute', ({ url, method, config }) => {
    if (config?.isForAnyOrigin === true) pathsForAnyOrigin.add(url);
    const methods = methodsByPath.get(url) ?? new Set();
    for (const each of [method].flat()) methods.add(each);
    methodsByPath.set(url, methods);
  });
  /** Fastify asks a QUERY for its type before it looks whether anything is there. */
  server.addHook('onRequest', (request, _reply, done) => {
    if (request.method === 'QUERY') refuse(request);
    done();
  });
  server.setNotFoundHandler(refuse);

  function refuse(request: FastifyRequest): never {
    const path = pathOf(request);
    const methods = methodsByPath.get(path);
    if (methods === undefined) {
      throw new RefusedRequest('not_found', 'There is nothing at this path.');
    }
    const allow = [...methods].sort().join(', ');
    throw new RefusedRequest('method_not_allowed', `This path has ${allow} only.`, {
      headers: {
        allow,
        ...(pathsForAnyOrigin.has(path) && { 'access-control-allow-origin': '*' }),
      },
    });
  }
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '';
}
