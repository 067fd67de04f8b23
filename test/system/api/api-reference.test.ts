import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { SCOPES } from '#domain/site/scope.ts';
import { DIMENSION_NAMES, METRICS } from '#report/catalog.ts';
import { addSite, createKey } from '../../server/add-site.ts';
import {
  type Api,
  type Media,
  type Operation,
  operationsOf,
  readApi,
  type Schema,
} from '../../server/read-api.ts';
import { shareServer } from '../../server/share-server.ts';
import type { TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
/** Standard formats, which Ajv leaves to a separate package. */
const AJV = new Ajv2020({ formats: { uuid: true, 'date-time': true } });

describe('the reference of the API', () => {
  let tributary: TestServer;
  let api: Api;
  let authorization: string;

  before(async () => {
    tributary = await shareServer();
    api = await readApi(tributary.url);
    await addSite(tributary.dataDir, 'example.com');
    authorization = `Bearer ${await createKey(tributary.dataDir, 'example.com', SCOPES)}`;
  });

  it('has schemas that each compile as JSON Schema 2020-12', () => {
    const schemas = [...findSchemas(api.paths), ...Object.values(api.components.schemas)];
    assert.ok(schemas.length > 100);
    for (const schema of schemas) AJV.compile(schema);
  });

  it('lists every metric and dimension', () => {
    const { metrics, dimensions } = bodyOf('query').schema.properties ?? {};
    assert.deepEqual(metrics?.items?.enum, [...METRICS.keys()].toSorted());
    const [listed] = dimensions?.items?.anyOf ?? [];
    const single = DIMENSION_NAMES.filter((name) => name !== 'event:props:NAME');
    assert.deepEqual(listed?.enum, single);
    assert.ok(bodyOf('queryLtv').schema.properties?.group_by?.enum?.includes('visit:source'));
  });

  it('has examples of bodies that are of their own schemas', () => {
    for (const { operationId, requestBody } of operations().map(({ operation }) => operation)) {
      for (const { schema, example } of Object.values(requestBody?.content ?? {})) {
        const check = AJV.compile(schema);
        assert.ok(check(example), `${operationId}: ${JSON.stringify(check.errors)}`);
      }
    }
  });

  it('has examples that are each answered 2xx as they stand, in the one shape', async () => {
    // What people do needs a signed-in user: see test/system/people.
    const all = operations().filter(({ operation: { tags } }) => !tags?.includes('people'));
    const first = all.filter(({ operation }) => operation.operationId === 'createEvents');
    const rest = all.filter((each) => !first.includes(each) && each.method !== 'delete');
    const last = all.filter(({ method }) => method === 'delete');
    const without: string[] = [];
    for (const { method, path, operation } of [...first, ...rest, ...last]) {
      const filled = fill(path, operation);
      if (filled === undefined) without.push(operation.operationId);
      else for (const body of bodiesOf(operation)) await succeeds(method, filled, body);
    }
    // Only the server knows the id of a receipt, and exports are files.
    assert.deepEqual(without, ['findErasure', 'export']);
  });

  const operations = () => operationsOf(api);

  function bodyOf(operationId: string): Media {
    const found = operations().find(({ operation }) => operation.operationId === operationId);
    const media = Object.values(found?.operation.requestBody?.content ?? {})[0];
    assert.ok(media, operationId);
    return media;
  }

  /** Accepted goals and pages appear a few moments later. */
  async function succeeds(method: string, path: string, body: unknown): Promise<void> {
    const { answer, text } = await waitUntil(
      () => call(method, path, body),
      ({ answer: { status } }) => status !== 404 && status !== 503,
    );
    const told = `${method} ${path} ${JSON.stringify(body)}: ${answer.status} ${text}`;
    assert.ok(answer.ok, told);
    assert.doesNotMatch(text, /"dropped":\[\{/, told);
    const isJson = answer.headers.get('content-type')?.startsWith('application/json');
    if (isJson) assertOneShape('', JSON.parse(text), told);
  }

  async function call(method: string, path: string, body: unknown) {
    const headers = { authorization, 'user-agent': USER_AGENT, 'content-type': 'application/json' };
    const answer = await fetch(`${tributary.url}${path}`, {
      method: method.toUpperCase(),
      ...(body === undefined
        ? { headers: { authorization } }
        : { headers, body: JSON.stringify(body) }),
    });
    const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
    if (isStream) await answer.body?.cancel();
    return { answer, text: isStream ? '' : await answer.text() };
  }
});

const AMOUNTS = /^(amount|refunded|revenue|gross_revenue|revenue_per_member)$/;
const COUNTS = /^(visits|pageviews|payments|conversions|goals|count|size|reached)$|_total$|_ms$/;
const INSTANTS = /^(at|now|hour)$|_at$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

/** Amounts are `{"value","currency"}`, counts numbers and instants ISO 8601, everywhere. */
function assertOneShape(name: string, value: unknown, told: string): void {
  assert.doesNotMatch(name, /_minor$|_cents$/, told);
  if (INSTANTS.test(name) && value !== null)
    assert.match(String(value), INSTANT, `${name} ${told}`);
  if (AMOUNTS.test(name)) {
    const { value: amount, currency, ...rest } = value as Record<string, unknown>;
    assert.match(String(amount), /^-?\d+(\.\d+)?$/, `${name} ${told}`);
    assert.match(String(currency), /^[A-Z]{3}$/, `${name} ${told}`);
    assert.deepEqual(rest, {}, `${name} ${told}`);
  } else if (typeof value === 'object' && value !== null) {
    for (const [inner, one] of Object.entries(value)) assertOneShape(inner, one, told);
  } else if (typeof value === 'string') {
    assert.doesNotMatch(name, COUNTS, told);
  }
}

function findSchemas(node: unknown): Schema[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, value]) =>
    name === 'schema' ? [value as Schema] : findSchemas(value),
  );
}

/** The address with its examples, or undefined if a part has none. */
function fill(path: string, { parameters = [] }: Operation): string | undefined {
  const examples = new Map(parameters.map(({ name, example }) => [name, example]));
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  if (names.some((name) => examples.get(name) === undefined)) return undefined;
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => examples.get(name) ?? '');
  const query = parameters.filter((each) => each.in === 'query' && each.example !== undefined);
  const sent = query.map(({ name, example = '' }) => [name, example]);
  return `${filled}?${new URLSearchParams(sent)}`;
}

/** The body's example, and for each example of a field the same body with it. */
function bodiesOf({ requestBody, operationId }: Operation): unknown[] {
  if (requestBody === undefined) return [undefined];
  return Object.values(requestBody.content).flatMap(({ schema, example }) => {
    assert.ok(example !== undefined, `${operationId} has no example`);
    const fields = [schema, ...(schema.anyOf ?? [])].flatMap((each) =>
      Object.entries(each.properties ?? {}),
    );
    const others = fields.flatMap(([name, field]) =>
      [field, ...(field.anyOf ?? [])]
        .flatMap(({ examples = [] }) => examples)
        .map((value) => ({ ...(example as object), [name]: value })),
    );
    return [example, ...others];
  });
}
