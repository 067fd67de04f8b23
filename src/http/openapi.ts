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
        { name: 'goals', description: 'What visitors did.' },
        { name: 'payments', description: 'What they paid.' },
        { name: 'events', description: 'What the tracker reports.' },
        { name: 'visitors', description: 'What is known of one, and how to forget it.' },
        { name: 'questions', description: 'What came of it.' },
        { name: 'operation', description: 'How the service is.' },
      ],
      components: {
        schemas: { Error: anyErrorAnswer() },
        securitySchemes: {
          key: {
            type: 'http',
            scheme: 'bearer',
            description:
              'A key made by `tributary key create`. Each endpoint needs a scope of the key.',
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
  // Whoever opens the address that a start prints finds something to read.
  server.get('/', { schema: { hide: true } }, (_request, reply) => reply.redirect('/docs'));
  await server.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: DOCS_CSP,
    uiConfig: { url: '/openapi.json', deepLinking: true, tryItOutEnabled: true },
    theme: { title: 'Tributary API' },
  });
}
