import type { FastifyRequest } from 'fastify';

/** The server's URL as callers know it: as set, or else as the request has it. */
export function toServerUrl(
  { protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>,
  baseUrl: string | undefined,
): string {
  return baseUrl ?? `${protocol}://${host}`;
}
