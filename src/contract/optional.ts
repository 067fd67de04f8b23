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

/** Removes optional fields that are `null`, which count as absent. */
export function withoutNulls(value: unknown, schema: TObject): unknown {
  return without(value, schema, NULL);
}

/** Removes optional fields that are `null` or an empty string. */
export function withoutEmpty(value: unknown, schema: TObject): unknown {
  return without(value, schema, EMPTY);
}

function without(value: unknown, schema: TObject, absent: readonly unknown[]): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const fields = value as Readonly<Record<string, unknown>>;
  const isAbsent = (name: string) =>
    absent.includes(fields[name]) && name in schema.properties && !schema.required?.includes(name);
  if (!Object.keys(fields).some(isAbsent)) return value;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !isAbsent(name)));
}
