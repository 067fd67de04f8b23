import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { SCOPES } from '#domain/site/scope.ts';
import { listTools } from '#mcp/list-tools.ts';
import { BODY_MAX_BYTES } from '#server/requests/body.ts';
import { readMainThread } from '#warehouse/engine/watch-work.ts';
import { createKey } from '../../server/add-site.ts';
import { signInAsOwner } from '../../server/browser-calls.ts';
import {
  type Api,
  type Operation,
  operationsOf,
  readApi,
  type Schema,
} from '../../server/read-api.ts';
import { findWeb } from '../../server/start-server.ts';
import { type RefusingServer, SITE, shareRefusingServer } from './refusing-server.ts';

/** Twice the goal, because machines differ. Bodies that are not bounded take hundreds. */
const WORK_MAX_MS = 40;
const TRIES = 8;
/** The largest body with something saved. */
const SAVED_MAX_BYTES = 8_192;

type Field = { readonly at: readonly string[]; readonly schema: Schema };
type Sent = Readonly<Record<'method' | 'path' | 'body', string>> & {
  readonly headers: Readonly<Record<string, string>>;
};

/** Values that fill as many bytes as there are, each costly to somebody who looks at all of it. */
const FILLERS: Readonly<Record<string, (bytes: number) => string>> = {
  numbers: listOf(() => '0'),
  'empty texts': listOf(() => '""'),
  'texts that are each new': listOf((index) => `"${index.toString(36)}"`),
  'empty lists': listOf(() => '[]'),
  'empty objects': listOf(() => '{}'),
  'nested lists': listOf(() => '[[""]]'),
  names: (bytes) => `{${fill((index) => `"${index.toString(36)}":0`, bytes - 2)}}`,
  text: textOf('a'),
  brackets: textOf('<'),
  escapes: textOf('\\"'),
  characters: textOf('𝕏'),
  query: (bytes) => `"https://${SITE}/?${fill((index) => `u${index}=%`, bytes - 50, '&')}"`,
};
/** And those of a list of filters. */
const FILTERS: typeof FILLERS = {
  'filters of nothing': listOf(() => '["is","x",["a"]]'),
  filters: (bytes) => `[["and",${listOf(() => '["is","visit:source",["a"]]')(bytes - 10)}]]`,
  values: (bytes) => `[["is","visit:country_name",${listOf(() => '"a"')(bytes - 40)}]]`,
  patterns: (bytes) => `[["matches","visit:source",${listOf(() => '"(a|b)*c"')(bytes - 40)}]]`,
};

/** What the tools for assistants cannot do without. */
const TOOL_ARGUMENTS: Readonly<Record<string, object>> = {
  query: { metrics: ['visitors'] },
  explain_payment: { transaction_id: 'none' },
  funnel: { steps: [{ type: 'page', path: '/' }, { type: 'payment' }] },
  annotate: { text: 'a note' },
};

describe('the work for a body', () => {
  let tributary: RefusingServer;
  let api: Api;
  let web: number;
  let byKey: Readonly<Record<string, string>>;
  let byPerson: Readonly<Record<string, string>>;

  before(async () => {
    tributary = await shareRefusingServer();
    const { server } = tributary;
    api = await readApi(server.url);
    web = findWeb(server) ?? 0;
    byKey = { authorization: `Bearer ${await createKey(server.dataDir, SITE, SCOPES)}` };
    const owner = await signInAsOwner(server);
    byPerson = { cookie: owner.cookie(), origin: server.url, 'sec-fetch-site': 'same-origin' };
  });
  after(() => tributary?.stop());

  it('is bounded, whatever fills it, for each field of every schema', async (t) => {
    const dear: string[] = [];
    let sent = 0;
    for (const { of, ...body } of hostileBodies()) {
      const ms = await leastWorkMs(() => send(body));
      sent += 1;
      if (ms > WORK_MAX_MS) dear.push(`${of}: ${ms.toFixed(1)} ms`);
    }
    t.diagnostic(`${sent} bodies`);
    assert.ok(sent > 1_000, `${sent} bodies`);
    assert.deepEqual(dear, []);
  });

  /** Each field of each body, filled by each filler. A field of several schemas is filled once. */
  function* hostileBodies() {
    const seen = new Set<string>();
    for (const [operationId, media, request] of requests()) {
      for (const { at, schema } of fieldsOf(media.schema)) {
        const field = `/${at.join('/')}`;
        const size = seen.size;
        if (seen.add(`${field} ${JSON.stringify(schema)}`).size === size) continue;
        for (const [what, filler] of fillersOf(field)) {
          const body = withFilled(media.example, at, maxBytesOf(request.path), filler);
          yield { of: `${operationId}: ${field} of ${what}`, ...request, body };
        }
      }
    }
  }

  function* requests() {
    yield* toolCalls();
    for (const { method, path, operation } of operationsOf(api)) {
      const [media] = Object.values(operation.requestBody?.content ?? {});
      if (media === undefined) continue;
      const filled = path.replace(/\{(\w+)\}/g, (_, name) => toExample(path, name, operation));
      const headers = operation.tags.includes('people') ? byPerson : byKey;
      const request = { method: method.toUpperCase(), path: filled, headers };
      yield [operation.operationId, media, request] as const;
    }
  }

  /** Calls of each tool for assistants, as the listed schemas have them. */
  function* toolCalls() {
    const request = { method: 'POST', path: '/mcp', headers: byKey };
    for (const { name, inputSchema } of listTools({ scopes: SCOPES })) {
      const sent = { name, arguments: TOOL_ARGUMENTS[name] ?? {} };
      const example = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: sent };
      const params: Schema = { properties: { name: {}, _meta: {}, arguments: inputSchema } };
      const schema: Schema = { properties: { id: {}, method: {}, params } };
      yield [name, { schema, example }, request] as const;
    }
  }

  function toExample(path: string, name: string, { parameters = [] }: Operation): string {
    if (name === 'id' && path.startsWith('/api/v1/sites/')) return SITE;
    return parameters.find((each) => each.name === name)?.example ?? 'x';
  }

  /** The schema itself, and all fields and elements in it, each by its path. */
  function fieldsOf(schema: Schema, at: readonly string[] = []): Field[] {
    const inside = [
      ...Object.entries(schema.properties ?? {}),
      ...(schema.items ? [['0', schema.items] as const] : []),
      ...(schema.patternProperties ? [['x', {}] as const] : []),
    ];
    const options = schema.anyOf ?? [];
    return [
      { at, schema },
      ...inside.flatMap(([each, own]) => fieldsOf(own, [...at, each])),
      ...options.flatMap((each) => fieldsOf(each, at)),
    ];
  }

  /** The least processor time of the server's main thread, as other work may come in between. */
  async function leastWorkMs(work: () => Promise<void>): Promise<number> {
    const ranMs = () => readMainThread(web)?.ranMs ?? 0;
    let least = Number.POSITIVE_INFINITY;
    for (let tried = 0; tried < TRIES && least > WORK_MAX_MS; tried += 1) {
      const before = ranMs();
      await work();
      least = Math.min(least, ranMs() - before);
    }
    return least;
  }

  function send({ path, body, method, headers }: Sent): Promise<void> {
    return new Promise((resolve, reject) => {
      const length = { 'content-length': Buffer.byteLength(body) };
      const type = { 'content-type': 'application/json' };
      const asked = request(
        `${tributary.server.url}${path}`,
        { method, headers: { ...headers, ...length, ...type } },
        (answer) => answer.resume().on('end', resolve).on('error', reject),
      );
      asked.on('error', reject).end(body);
    });
  }
});

function fillersOf(field: string): [string, (bytes: number) => string][] {
  return Object.entries({ ...FILLERS, ...(field.endsWith('/filters') && FILTERS) });
}

function maxBytesOf(path: string): number {
  return /segments|funnels|annotations/.test(path) ? SAVED_MAX_BYTES : BODY_MAX_BYTES;
}

const HOLE = '"the hole"';

/** The example with one part replaced by a filler, so that the body has this size. */
function withFilled(
  example: unknown,
  at: readonly string[],
  maxBytes: number,
  filler: (bytes: number) => string,
): string {
  const frame = JSON.stringify(replaced(example, at));
  return frame.replace(HOLE, () => filler(maxBytes - Buffer.byteLength(frame)));
}

function replaced(value: unknown, [name, ...further]: readonly string[]): unknown {
  if (name === undefined) return JSON.parse(HOLE);
  const isContainer = typeof value === 'object' && value !== null;
  const inside = (isContainer ? value : {}) as Record<string, unknown>;
  const own = replaced(inside[name], further);
  if (Array.isArray(value)) return value.with(0, own);
  return name === '0' ? [own] : { ...inside, [name]: own };
}

function listOf(unit: (index: number) => string) {
  return (bytes: number) => `[${fill(unit, bytes - 2)}]`;
}

function textOf(unit: string) {
  return (bytes: number) => `"${unit.repeat((bytes - 2) / Buffer.byteLength(unit))}"`;
}

function fill(unit: (index: number) => string, maxBytes: number, separator = ','): string {
  const units: string[] = [];
  for (let [index, bytes] = [0, 0]; ; index += 1) {
    const next = unit(index);
    bytes += next.length + 1;
    if (bytes > maxBytes) return units.join(separator);
    units.push(next);
  }
}
