/** A JSON value whose integers beyond 2^53 are their digits, as text: ids must not be rounded. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
/** An object of a provider's event. Enums are open: nothing is known about its values before they are read. */
export type JsonObject = { readonly [name: string]: JsonValue | undefined };

/** Parses JSON without rounding: a number that a float cannot hold becomes its text. Throws on invalid JSON. */
export function parseExactJson(text: string): JsonValue {
  return JSON.parse(text, (_name, value, context?: { readonly source?: string }) => {
    if (typeof value !== 'number') return value;
    const source = context?.source ?? String(value);
    return String(value) === source ? value : source;
  });
}

/** The object at a path; undefined if there is none. */
export function objectAt(
  value: JsonValue | undefined,
  ...path: readonly string[]
): JsonObject | undefined {
  const found = valueAt(value, path);
  return isObject(found) ? found : undefined;
}

/** The list at a path; empty if there is none. */
export function listAt(
  value: JsonValue | undefined,
  ...path: readonly string[]
): readonly JsonValue[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found : [];
}

/** The text or number at a path as text; undefined if it is missing or empty. */
export function textAt(
  value: JsonValue | undefined,
  ...path: readonly string[]
): string | undefined {
  const found = valueAt(value, path);
  if (typeof found === 'number') return String(found);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** Whether a value is an object, and not a list. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function valueAt(value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  let found = value;
  for (const name of path) {
    if (!isObject(found) || !Object.hasOwn(found, name)) return undefined;
    found = found[name];
  }
  return found;
}
