import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { anyErrorAnswer, ERROR_TYPES } from '#contract/error.ts';
import { DIMENSION_NAMES, METRICS } from '#report/catalog.ts';
import { BODY_EXAMPLES } from './api-examples.ts';
import { type ApiDocument, DOCS_POLICY, toDocsPage } from './docs-page.ts';

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
        { name: 'people', description: 'Who is signed in, and what they may see.' },
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
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'tributary.session_token',
            description:
              'The cookie of somebody who is signed in. Where a key is expected, it serves with the header `X-Site-Id`, which names the site.',
          },
          share: {
            type: 'apiKey',
            in: 'header',
            name: 'X-Share-Token',
            description:
              'What stands in the address of a shared link, or what `POST /api/v1/share/open` answers for a link with a password. It shows what the panels of the link show.',
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

/** Adds `/openapi.json`, and `/docs`, the same as a page. */
export function addDocs(server: FastifyInstance): void {
  let text: string | undefined;
  let page: string | undefined;
  const describe = () => {
    text ??= JSON.stringify(server.swagger(), toStandard);
    return text;
  };
  server.get('/openapi.json', { schema: { hide: true } }, (_request, reply) =>
    reply.header('content-type', 'application/json; charset=utf-8').send(describe()),
  );
  server.get('/docs', { schema: { hide: true } }, (_request, reply) => {
    page ??= toDocsPage(JSON.parse(describe()) as ApiDocument);
    return reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': DOCS_POLICY,
      })
      .send(page);
  });
}

/** A part of the document, with what the schemas that check say in their own way. */
type Part = {
  readonly type?: unknown;
  readonly items?: unknown;
  readonly additionalItems?: unknown;
  /** What the text names: metrics, or dimensions that begin so. */
  readonly 'x-names'?: readonly string[];
  readonly operationId?: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, object>> };
};

/** Puts a part as JSON Schema 2020-12 does, with the names there are, and an example of each body. */
function toStandard(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const part = value as Part;
  if (part.type === 'array' && Array.isArray(part.items)) {
    const { items, additionalItems: _, ...rest } = part;
    return { ...rest, prefixItems: items, items: false };
  }
  if (part['x-names'] !== undefined) return toNamed(part, part['x-names']);
  if (part.requestBody === undefined) return value;
  const example = BODY_EXAMPLES[part.operationId ?? ''];
  const content = Object.entries(part.requestBody.content).map(([type, media]) => [
    type,
    { ...media, example },
  ]);
  return { ...part, requestBody: { ...part.requestBody, content: Object.fromEntries(content) } };
}

/** The names of metrics and dimensions; of a property any name. */
function toNamed({ 'x-names': _, ...rest }: Part, kinds: readonly string[]): object {
  const metrics = kinds.includes('metric') ? [...METRICS.keys()].toSorted() : [];
  const own = kinds.filter((kind) => kind.startsWith('cohort_'));
  const isWanted = (name: string) => kinds.includes(name.replace(/:.*/, ''));
  const dimensions = DIMENSION_NAMES.filter((name) => isWanted(name) && name !== PROPERTY);
  const listed = { enum: [...own, ...metrics, ...dimensions] };
  if (!isWanted(PROPERTY)) return { ...rest, ...listed };
  return { ...rest, anyOf: [listed, { pattern: '^event:props:.' }] };
}

const PROPERTY = 'event:props:NAME';
