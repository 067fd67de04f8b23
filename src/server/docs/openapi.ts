import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { ERRORS_DESCRIPTION, ErrorAnswer } from '#contract/error.ts';
import { BODY_EXAMPLES } from './api-examples.ts';
import { type ApiDocument, DOCS_POLICY, toDocsPage } from './docs-page.ts';
import { shareShapes } from './share-shapes.ts';

/** Generates an OpenAPI 3.1 description of the routes added after it, from the schemas that validate them. */
export async function describeRoutes(server: FastifyInstance, baseUrl: string): Promise<void> {
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Tributary',
        version: '1',
        description: `Web analytics that follows revenue to its source.\n\n${ERRORS_DESCRIPTION}`,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: baseUrl }],
      tags: [
        { name: 'goals', description: 'Custom events from your backend.' },
        { name: 'payments', description: 'Payments and refunds.' },
        { name: 'costs', description: 'What was spent on campaigns.' },
        { name: 'events', description: 'Events from the tracker and from servers.' },
        { name: 'visitors', description: 'Show or erase a visitor.' },
        { name: 'queries', description: 'Metrics and reports.' },
        { name: 'people', description: 'Logins, members, and what the dashboard manages.' },
        { name: 'operation', description: 'Health and metrics of the server.' },
      ],
      components: {
        schemas: { Error: ErrorAnswer },
        securitySchemes: {
          key: {
            type: 'http',
            scheme: 'bearer',
            description:
              'A key from `tributary key create`. Each endpoint requires one of its scopes.',
          },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'tributary.session_token',
            description:
              'The cookie of a signed-in user. With the header `X-Site-Id`, which names the site, it replaces a key. For GET, `site_id` does, too.',
          },
          share: {
            type: 'apiKey',
            in: 'header',
            name: 'X-Share-Token',
            description:
              'The token in the URL of a shared link or, for a link with a password, the token returned by `POST /api/v1/share/open`. It only allows the queries of the link’s panels.',
          },
        },
      },
    },
  });
}

/** The metrics and dimensions that queries may name. */
type FieldNames = {
  readonly metrics: readonly string[];
  readonly dimensions: readonly string[];
};

/** Adds `/openapi.json`, and `/docs`, the same as an HTML page. */
export function addDocs(server: FastifyInstance, names: FieldNames): void {
  let text: string | undefined;
  let page: string | undefined;
  const describe = () =>
    JSON.parse(JSON.stringify(server.swagger(), (_, value) => toStandard(value, names)));
  server.get('/openapi.json', { schema: { hide: true } }, (_request, reply) => {
    text ??= JSON.stringify(shareShapes(describe()));
    return reply.header('content-type', 'application/json; charset=utf-8').send(text);
  });
  server.get('/docs', { schema: { hide: true } }, (_request, reply) => {
    page ??= toDocsPage(describe() as ApiDocument);
    return reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': DOCS_POLICY,
      })
      .send(page);
  });
}

/** A part of the document, in the form of the schemas that validate. */
type Part = {
  readonly type?: unknown;
  readonly items?: unknown;
  readonly additionalItems?: unknown;
  /** The names that a string may have: metrics, or dimensions with these prefixes. */
  readonly 'x-names'?: readonly string[];
  readonly operationId?: string;
  readonly security?: readonly object[];
  readonly requestBody?: { readonly content: Readonly<Record<string, object>> };
};

/** Converts a part to JSON Schema 2020-12, with all allowed names, and an example of each body. */
function toStandard(value: unknown, names: FieldNames): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const part = value as Part;
  if (part.type === 'array' && Array.isArray(part.items)) {
    const { items, additionalItems: _, ...rest } = part;
    return { ...rest, prefixItems: items, items: {}, maxItems: items.length };
  }
  if (part['x-names'] !== undefined) return toNamed(part, part['x-names'], names);
  if (part.operationId === undefined) return value;
  const { security = [], requestBody } = part;
  if (requestBody === undefined) return { ...part, security };
  const example = BODY_EXAMPLES[part.operationId];
  const content = Object.entries(requestBody.content).map(([type, media]) => [
    type,
    { ...media, example },
  ]);
  const body = { ...requestBody, content: Object.fromEntries(content) };
  return { ...part, security, requestBody: body };
}

/** Lists the allowed metrics and dimensions. A custom property may have any name. */
function toNamed(
  { 'x-names': _, ...rest }: Part,
  kinds: readonly string[],
  names: FieldNames,
): object {
  const metrics = kinds.includes('metric') ? names.metrics.toSorted() : [];
  const own = kinds.filter((kind) => kind.startsWith('cohort_'));
  const isWanted = (name: string) => kinds.includes(name.replace(/:.*/, ''));
  const dimensions = names.dimensions.filter((name) => isWanted(name) && name !== PROPERTY);
  const listed = { type: 'string', enum: [...own, ...metrics, ...dimensions] };
  if (!isWanted(PROPERTY)) return { ...rest, ...listed };
  return { ...rest, anyOf: [listed, { type: 'string', pattern: '^event:props:.' }] };
}

const PROPERTY = 'event:props:NAME';
