import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { anyErrorAnswer, ERROR_TYPES } from '#contract/error.ts';

/** Everything that the page of the documentation may load is on this server. */
const DOCS_CSP = [
  "default-src 'self'",
  "img-src 'self' data:",
  "style-src 'self' 'unsafe-inline'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Describes the routes added after it in OpenAPI 3.1, from the schemas that check them. */
export async function describeRoutes(server: FastifyInstance, baseUrl: string): Promise<void> {
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Tributary',
        version: '1',
        description: `Web analytics that follows revenue to its source.\n\n${describeErrors()}`,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: baseUrl }],
      tags: [
        { name: 'goals', description: 'Custom events from your backend.' },
        { name: 'payments', description: 'Payments and refunds.' },
        { name: 'events', description: 'Events from the tracker and from servers.' },
        { name: 'visitors', description: 'Show or erase a visitor.' },
        { name: 'queries', description: 'Metrics and reports.' },
        { name: 'operation', description: 'Health and metrics of the server.' },
      ],
      components: {
        schemas: { Error: anyErrorAnswer() },
        securitySchemes: {
          key: {
            type: 'http',
            scheme: 'bearer',
            description:
              'A key from `tributary key create`. Each endpoint needs one of its scopes.',
          },
        },
      },
    },
  });
}

/** Every type, those included that no path of its own has: unknown paths, broken requests. */
function describeErrors(): string {
  const rows = Object.entries(ERROR_TYPES).map(
    ([type, { code, when }]) => `| ${code} | \`${type}\` | ${when} |`,
  );
  return [
    'Every error of every path has the same shape. Its `type` is one of these:',
    '',
    '| code | type | when |',
    '|---|---|---|',
    ...rows,
  ].join('\n');
}

/** Adds `/openapi.json`, and `/docs`, the page that reads it. */
export async function addDocs(server: FastifyInstance): Promise<void> {
  let text: string | undefined;
  server.get('/openapi.json', { schema: { hide: true } }, (_request, reply) => {
    text ??= JSON.stringify(server.swagger());
    return reply.header('content-type', 'application/json; charset=utf-8').send(text);
  });
  // The address that a start prints shows something to read.
  server.get('/', { schema: { hide: true } }, (_request, reply) => reply.redirect('/docs'));
  await server.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: DOCS_CSP,
    uiConfig: { url: '/openapi.json', deepLinking: true, tryItOutEnabled: true },
    theme: { title: 'Tributary API' },
  });
}
