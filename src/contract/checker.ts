import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/schema'; // A fifth less to load than `typebox/compile`.
import type { Fault } from './fault.ts';
import { PATTERN_RULES } from './patterns.ts';

/** The most faults that are reported for one body. */
export const FAULTS_MAX = 64;

/** A compiled schema: validates values and lists the first faults of invalid ones. */
export type Checker<Value> = {
  isValid(value: unknown): value is Value;
  findFaults(value: unknown): Fault[];
};

/** Compiles a schema of the contract. */
export function createChecker<Schema extends TSchema>(schema: Schema): Checker<Static<Schema>> {
  const validator = Compile(schema);
  return {
    isValid: (value): value is Static<Schema> => validator.Check(value),
    findFaults: (value) => findFaults(schema, value),
  };
}

/** The parts of JSON Schema that the contract uses. */
type Schema = {
  readonly [Limit in `${'min' | 'max'}${'Items' | 'Length' | 'Properties' | 'imum'}`]?: number;
} & {
  readonly type?: keyof typeof IS_OF_TYPE;
  readonly description?: string;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  /** Of a record: one pattern, which every name matches. */
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly propertyNames?: Schema;
  /** Of a tuple: a list. */
  readonly items?: Schema | Schema[];
  readonly uniqueItems?: boolean;
  readonly pattern?: string;
  readonly '~refine'?: readonly {
    check(value: unknown): boolean;
    error(value: unknown): string;
  }[];
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const IS_OF_TYPE = {
  object: isObject,
  array: Array.isArray,
  string: (value: unknown) => typeof value === 'string',
  number: Number.isFinite,
  integer: Number.isInteger,
  boolean: (value: unknown) => typeof value === 'boolean',
  null: (value: unknown) => value === null,
};

/**
 * Finds the first faults of a value.
 *
 * - Why sizes are checked before what is inside, and the search ends after some faults: a body of a megabyte must not
 *   hold the server.
 */
function findFaults(schema: TSchema, value: unknown): Fault[] {
  return faultsOf(schema as Schema, value, '')
    .take(FAULTS_MAX)
    .toArray();
}

function* faultsOf(schema: Schema, value: unknown, path: string): Generator<Fault> {
  const message = messageOf(schema, value);
  if (message !== undefined) yield { path, message };
  else if (typeof value === 'string') yield* textFaults(schema, value, path);
  else if (typeof value === 'number') yield* numberFaults(schema, value, path);
  else if (Array.isArray(value)) yield* listFaults(schema, value, path);
  else if (isObject(value)) yield* fieldFaults(schema, value, path);
}

/** What is wrong with the whole value, if anything. */
function messageOf(schema: Schema, value: unknown): string | undefined {
  const { type, anyOf } = schema;
  if (anyOf?.every((each) => faultsOf(each, value, '').next().done === false)) {
    return toChoice(schema.description);
  }
  if (type !== undefined && !IS_OF_TYPE[type](value)) {
    return `must be ${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`;
  }
  const allowed = 'const' in schema ? [schema.const] : schema.enum;
  return allowed?.includes(value) === false ? `must be one of ${allowed.join(', ')}` : undefined;
}

function* textFaults(schema: Schema, text: string, path: string): Generator<Fault> {
  const { minLength: min = 0, maxLength: max, pattern, '~refine': refinements = [] } = schema;
  const counted = (max ?? min) + 1; // Of a longer text, code points are not counted.
  const length = [...text.slice(0, 2 * counted)].slice(0, counted).length;
  const message = messageOfCount('character', length, { min, max });
  if (message !== undefined) yield { path, message };
  const isMatch = pattern === undefined || new RegExp(pattern, 'u').test(text);
  if (!isMatch) yield { path, message: PATTERN_RULES.get(pattern) ?? `must match ${pattern}` };
  const isWell = message === undefined && isMatch;
  const wrong = refinements.filter(({ check }) => isWell && !check(text));
  yield* wrong.map(({ error }) => ({ path, message: error(text) }));
}

function* numberFaults(schema: Schema, value: number, path: string): Generator<Fault> {
  const { minimum = value, maximum = value } = schema;
  if (value < minimum) yield { path, message: `must be at least ${minimum}` };
  if (value > maximum) yield { path, message: `must be at most ${maximum}` };
}

function* listFaults(schema: Schema, list: readonly unknown[], path: string): Generator<Fault> {
  const { items, minItems: min, uniqueItems = false } = schema;
  const max = Array.isArray(items) ? items.length : schema.maxItems;
  const message = messageOfCount('element', list.length, { min, max });
  if (message !== undefined) yield { path, message };
  if (items === undefined || (max !== undefined && list.length > max)) return;
  for (const [index, value] of list.entries()) {
    const own = Array.isArray(items) ? items[index] : items;
    yield* faultsOf(own ?? {}, value, `${path}/${index}`);
  }
  if (uniqueItems && new Set(list.map((each) => JSON.stringify(each))).size < list.length) {
    yield { path, message: 'must not have duplicate items' };
  }
}

type Fields = Readonly<Record<string, unknown>>;

function* fieldFaults(schema: Schema, fields: Fields, path: string): Generator<Fault> {
  const { properties = {}, required = [], maxProperties: max } = schema;
  const at = (name: string) => `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const names = Object.keys(fields);
  const message = messageOfCount('property', names.length, { max });
  if (message !== undefined) return yield { path, message };
  const missing = required.filter((name) => !Object.hasOwn(fields, name));
  yield* missing.map((name) => ({ path: at(name), message: 'is required' }));
  if (schema.additionalProperties === false) {
    const unknown = `is unknown; known are ${Object.keys(properties).join(', ')}`;
    for (const name of names) {
      if (!Object.hasOwn(properties, name)) yield { path: at(name), message: unknown };
    }
  }
  for (const [name, own] of Object.entries(properties)) {
    if (Object.hasOwn(fields, name)) yield* faultsOf(own, fields[name], at(name));
  }
  for (const own of Object.values(schema.patternProperties ?? {})) {
    for (const name of names) {
      yield* faultsOf(schema.propertyNames ?? {}, name, at(name));
      yield* faultsOf(own, fields[name], at(name));
    }
  }
}

const PLURALS = { character: 'characters', element: 'elements', property: 'properties' };

function messageOfCount(
  one: keyof typeof PLURALS,
  count: number,
  { min = count, max = count }: { readonly [Bound in 'min' | 'max']?: number | undefined },
): string | undefined {
  if (count >= min && count <= max) return undefined;
  const [bound, limit] = count < min ? ['least', min] : ['most', max];
  return `must have at ${bound} ${limit} ${limit === 1 ? one : PLURALS[one]}`;
}

/** The message for an `anyOf`, from its description, which lists the options. */
function toChoice(description?: string): string {
  if (description === undefined) return 'matches none of the allowed forms';
  const text = description.replace(/\.$/, '');
  return `must be ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}
