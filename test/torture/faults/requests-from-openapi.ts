import fc from 'fast-check';
import { readApi } from '../../server/read-api.ts';
import { SITE } from '../torture-server.ts';

/** A request allowed by the document, or one slightly off. */
export type GeneratedRequest = { readonly path: string; readonly body: string };

type Schema = {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema | false;
  readonly prefixItems?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly pattern?: string;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
};
type Document = {
  readonly paths: Readonly<
    Record<
      string,
      { post?: { requestBody?: { content: Record<string, { schema: Schema }> } } } | undefined
    >
  >;
};

const DEPTH_MAX = 4;

/** The given number of requests, from the server's own document; the same seed plans the same. */
export async function planFromOpenApi(
  url: string,
  { seed, amount }: { readonly seed: number; readonly amount: number },
): Promise<GeneratedRequest[]> {
  const document = (await readApi(url)) as Document;
  const arbitraries = Object.entries(document.paths).flatMap(([path, operations]) => {
    const schema = operations?.post?.requestBody?.content['application/json']?.schema;
    return schema === undefined ? [] : [requestTo(path, schema)];
  });
  if (arbitraries.length === 0) throw new Error('/openapi.json describes no body');
  return fc.sample(fc.oneof(...arbitraries), { seed, numRuns: amount });
}

function requestTo(path: string, schema: Schema): fc.Arbitrary<GeneratedRequest> {
  return valueBy(schema, 0).map((value) => ({ path, body: JSON.stringify(value) ?? 'null' }));
}

/** Mostly values that the schema allows; one in twenty is arbitrary. */
function valueBy(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 19, arbitrary: allowedBy(schema, depth) }, anything());
}

function anything(): fc.Arbitrary<unknown> {
  return fc.jsonValue({ maxDepth: 10, stringUnit: 'binary' });
}

function allowedBy(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  const several = schema.anyOf ?? schema.oneOf;
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (several !== undefined) return fc.oneof(...several.map((each) => allowedBy(each, depth)));
  if (depth > DEPTH_MAX) return anything();
  switch (schema.type) {
    case 'object':
      return objectOf(schema, depth);
    case 'array':
      return arrayOf(schema, depth);
    case 'string':
      return textOf(schema);
    case 'integer':
      return fc.integer({
        min: schema.minimum ?? -(2 ** 31),
        max: Math.min(schema.maximum ?? 2 ** 31, 2 ** 31),
      });
    case 'number':
      return fc.oneof(
        fc.double(),
        fc.nat().map((minor) => minor / 100),
        fc.maxSafeInteger(),
      );
    case 'boolean':
      return fc.boolean();
    default:
      return anything();
  }
}

function objectOf(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  const properties = Object.entries(schema.properties ?? {}).map(
    ([name, each]) => [name, valueBy(each, depth + 1)] as const,
  );
  const known = fc.record(Object.fromEntries(properties), {
    requiredKeys: [...(schema.required ?? [])],
  });
  if (properties.length > 0) return known;
  return fc.dictionary(fc.stringMatching(/^[a-z0-9_-]{1,10}$/), fc.string({ unit: 'binary' }), {
    maxKeys: 12,
  });
}

function arrayOf(
  { items, prefixItems, maxItems = 5 }: Schema,
  depth: number,
): fc.Arbitrary<unknown> {
  if (prefixItems !== undefined) {
    return fc.tuple(...prefixItems.map((each) => valueBy(each, depth + 1)));
  }
  const each = items ? valueBy(items, depth + 1) : anything();
  return fc.array(each, { maxLength: Math.min(maxItems, 5) });
}

function textOf({ pattern, examples = [] }: Schema): fc.Arbitrary<unknown> {
  const good = fc.constantFrom(SITE, 'a-person', 'EUR', '7d', 'visitors', ...examples);
  if (pattern === undefined)
    return fc.oneof(good, fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
  return fc.oneof(good, matching(pattern), fc.string({ unit: 'binary' }));
}

function matching(pattern: string): fc.Arbitrary<unknown> {
  try {
    return fc.stringMatching(new RegExp(pattern, 'u'));
  } catch {
    return fc.string(); // A pattern that fast-check cannot invert.
  }
}
