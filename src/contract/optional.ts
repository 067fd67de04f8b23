import Type, { type TOptional, type TProperties, type TSchema } from 'typebox';

/** The same fields, each of which may be left out. */
export function optional<Fields extends TProperties>(fields: Fields) {
  const entries = Object.entries<TSchema>(fields);
  return Object.fromEntries(entries.map(([name, schema]) => [name, Type.Optional(schema)])) as {
    readonly [Name in keyof Fields]: TOptional<Fields[Name]>;
  };
}
