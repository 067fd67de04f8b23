import Type, { type TObject, type TOptional, type TProperties, type TSchema } from 'typebox';

/** Makes every field optional. */
export function optional<Fields extends TProperties>(fields: Fields) {
  const entries = Object.entries<TSchema>(fields);
  return Object.fromEntries(entries.map(([name, schema]) => [name, Type.Optional(schema)])) as {
    readonly [Name in keyof Fields]: TOptional<Fields[Name]>;
  };
}

/** Values that count as absent. */
const EMPTY: readonly unknown[] = [null, ''];
const NULL: readonly unknown[] = [null];

/** Removes optional fields and properties that are `null`, which count as absent. */
export function withoutNulls(value: unknown, schema: TObject): unknown {
  return without(value, schema, NULL);
}

/** Removes optional fields that are `null` or an empty string. */
export function withoutEmpty(value: unknown, schema: TObject): unknown {
  return without(value, schema, EMPTY);
}

function without(value: unknown, schema: TObject, absent: readonly unknown[]): unknown {
  if (!isObject(value)) return value;
  let isChanged = false;
  const kept: [string, unknown][] = [];
  for (const [name, field] of Object.entries(value)) {
    const its = schema.properties[name];
    const isOptional = its !== undefined && !schema.required?.includes(name);
    const isRecord = isObject(field) && its !== undefined && Type.IsRecord(its);
    const left = isRecord ? withoutNullValues(field) : field;
    const isAbsent = isOptional && absent.includes(field);
    isChanged ||= isAbsent || left !== field;
    if (!isAbsent) kept.push([name, left]);
  }
  return isChanged ? Object.fromEntries(kept) : value;
}

function withoutNullValues(properties: unknown): unknown {
  if (!isObject(properties) || !Object.values(properties).includes(null)) return properties;
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== null));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
