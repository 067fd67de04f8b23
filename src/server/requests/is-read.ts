import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route only reads, whatever its method. */
    readonly isRead?: boolean;
  }
}

/** Whether a request only reads. */
export function isRead({ method, routeOptions }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD' || routeOptions.config?.isRead === true;
}
