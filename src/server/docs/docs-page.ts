import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The parts of an OpenAPI document that the page shows. */
export type ApiDocument = {
  readonly info: { readonly title: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Record<string, Media> }>
  >;
};
type Media = { readonly schema: Schema; readonly example?: unknown };
type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema: Schema;
};
type Schema = {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema | false;
  readonly prefixItems?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
};
type Field = { readonly name: string; readonly of: Schema; readonly isRequired: boolean };
type Place = { readonly method: string; readonly path: string; readonly base: string };

const STYLE = readFileSync(new URL('docs-page.css', import.meta.url), 'utf8');

/** The page loads and runs nothing; its only style is inline. */
export const DOCS_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const DEFAULT_BASE = 'http://127.0.0.1:8787';

/** Renders the API reference as one HTML page: every operation with its fields, a curl and its responses. */
export function toDocsPage({ info, servers, tags, paths }: ApiDocument): string {
  const url = servers[0]?.url ?? '/';
  const base = url === '/' ? DEFAULT_BASE : url;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      operation,
      place: { method: method.toUpperCase(), path, base },
    })),
  );
  const groups = tags.map((tag) => ({
    ...tag,
    operations: operations.filter(({ operation }) => operation.tags.includes(tag.name)),
  }));
  const links = groups.map(({ name, operations }) => {
    const entries = operations.map(
      ({ operation: { operationId, summary } }) => `<a href="#${operationId}">${rich(summary)}</a>`,
    );
    return `<h3>${toHtml(name)}</h3><div>${entries.join('')}</div>`;
  });
  const sections = groups.map(
    ({ name, description, operations }) =>
      `<h2>${toHtml(name)}</h2><p>${rich(description)}</p>` +
      operations.map(({ operation, place }) => toSection(operation, place)).join(''),
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${toHtml(info.title)} API</title>
<meta name="viewport" content="width=device-width"><style>${STYLE}</style></head><body>
<nav aria-label="Operations"><a href="/openapi.json">OpenAPI document</a>${links.join('')}</nav>
<main><h1>${toHtml(info.title)} API</h1>${toProse(info.description)}${sections.join('')}</main></body></html>`;
}

function toSection(operation: Operation, place: Place): string {
  const { operationId, summary, description = '', parameters = [], responses } = operation;
  const [type, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const { scope, needsKey } = readSecurity(operation);
  const fields = [
    ...parameters.map((each) => ({
      name: `${each.name} (${each.in})`,
      of: { description: each.description ?? '', ...each.schema },
      isRequired: each.required === true,
    })),
    ...(body === undefined ? [] : listFields(body.schema)),
  ];
  const answers = Object.entries(responses).map(([code, { description, content }]) => {
    const schema = Number(code) < 300 && Object.values(content ?? {})[0]?.schema;
    const said = `<code>${code}</code> ${rich(description)}`;
    const inside = schema ? toList(listFields(schema)) : '';
    if (inside === '') return `<p class="soft">${said}</p>`;
    return `<details><summary>${said}</summary>${inside}</details>`;
  });
  return `<section id="${operationId}"><h3>${rich(summary)}</h3>
<p class="soft"><code>${place.method} ${toHtml(place.path)}</code>${scope === '' ? '' : ` with a key for <code>${toHtml(scope)}</code>${needsKey ? '' : ', or without'}`}</p>
<p>${rich(description)}</p>${toList(fields)}
<pre>${toHtml(toCurl(place, { parameters, type, example: body?.example, needsKey }))}</pre>
${answers.join('')}</section>`;
}

/** The scope that a key needs, and whether a key is required. */
function readSecurity({ security }: Operation) {
  const scope = security.flatMap((each) => Object.values(each).flat()).join(', ');
  const isOpen = security.length === 0 || security.some((each) => Object.keys(each).length === 0);
  return { scope, needsKey: !isOpen };
}

type Call = {
  readonly parameters: readonly Parameter[];
  readonly type: string | undefined;
  readonly example: unknown;
  readonly needsKey: boolean;
};

function toCurl({ method, path, base }: Place, call: Call): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => {
    const parameter = call.parameters.find((each) => each.name === name);
    return String(parameter?.example ?? name.toUpperCase());
  });
  const lines = [`curl -X ${method} ${base}${filled}`];
  if (call.needsKey) lines.push(`  -H 'Authorization: Bearer trib_…'`);
  if (call.type !== undefined) {
    lines.push(`  -H 'Content-Type: ${call.type}'`);
    lines.push(`  -d '${JSON.stringify(call.example, null, 2)}'`);
  }
  return lines.join(' \\\n');
}

/** The fields of an object, nested ones included: `pagination.limit`, `events[].url`. */
function listFields(schema: Schema, prefix = ''): Field[] {
  const { properties = {}, required = [], anyOf = [], items } = schema;
  const own = Object.entries(properties).flatMap(([key, of]) => {
    const name = `${prefix}${key}`;
    const isRequired = required.includes(key);
    return [{ name, of, isRequired }, ...listFields(of, `${name}.`)];
  });
  const within = items ? listFields(items, `${prefix.replace(/\.$/, '')}[].`) : [];
  return [...own, ...within, ...anyOf.flatMap((each) => listFields(each, prefix))];
}

function toList(fields: readonly Field[]): string {
  if (fields.length === 0) return '';
  const rows = fields.map(({ name, of, isRequired }) => {
    const note = isRequired ? ', required' : '';
    return `<div><dt><code>${toHtml(name)}</code><br>${toType(of)}${note}</dt><dd>${rich(of.description ?? '')}</dd></div>`;
  });
  return `<dl>${rows.join('')}</dl>`;
}

/** A short description of a value's type. */
function toType({ type, enum: listed, const: only, anyOf, items, prefixItems }: Schema): string {
  if (only !== undefined) return `<code>${toHtml(JSON.stringify(only))}</code>`;
  if (listed !== undefined) return listed.map((each) => `<code>${toHtml(each)}</code>`).join(' ');
  if (anyOf !== undefined) return [...new Set(anyOf.map(toType))].join(' or ');
  if (prefixItems !== undefined) return `list of ${prefixItems.map(toType).join(' and ')}`;
  if (items) return `list of ${toType(items)}`;
  return type ?? 'any';
}

/** Renders the Markdown that our own descriptions use: paragraphs and tables, without their heads. */
function toProse(text: string): string {
  return text
    .split('\n\n')
    .map((block) => {
      if (!block.startsWith('|')) return `<p>${rich(block)}</p>`;
      const rows = block
        .split('\n')
        .slice(2)
        .map((row) => {
          const cells = row.slice(1, -1).split('|');
          return `<div><dt>${rich(cells.slice(0, -1).join(' '))}</dt><dd>${rich(cells.at(-1) ?? '')}</dd></div>`;
        });
      return `<section><dl>${rows.join('')}</dl></section>`;
    })
    .join('');
}

function rich(text: string): string {
  return toHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

function toHtml(text: unknown): string {
  return String(text).replace(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`);
}
