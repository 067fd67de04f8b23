import { isObject, type JsonObject, type JsonValue } from '../json.ts';

/** Whether a text is a path such as `data.items[0].amount`, with or without `$.` before it. */
export const PATH = /^(?:\$\.?)?[^\s.[\]]+(?:\.[^\s.[\]]+|\[\d{1,3}\])*$/;

/** The value at a path. Undefined if there is none. */
export function readPath(body: JsonObject, path: string | undefined): JsonValue | undefined {
  if (!path) return undefined;
  let found: JsonValue | undefined = body;
  for (const step of stepsOf(path)) found = inside(found, step);
  return found;
}

/** The body with a value at a path, and with all that is missing on the way. */
export function writePath(
  body: JsonObject,
  path: string | undefined,
  value: JsonValue,
): JsonObject {
  const written = path ? place(body, stepsOf(path), value) : body;
  return isObject(written) ? written : body;
}

/** A name of an object, or a place in a list. */
type Step = string | number;

function stepsOf(path: string): readonly Step[] {
  const steps = path.replace(/^\$\.?/, '').match(/\[\d{1,3}\]|[^.[\]]+/g) ?? [];
  return steps.map((step) => (step.startsWith('[') ? Number(step.slice(1, -1)) : step));
}

function inside(value: JsonValue | undefined, step: Step): JsonValue | undefined {
  if (typeof step === 'number') return Array.isArray(value) ? value[step] : undefined;
  return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

function place(
  within: JsonValue | undefined,
  [step, ...rest]: readonly Step[],
  value: JsonValue,
): JsonValue {
  if (step === undefined) return value;
  const placed = place(inside(within, step), rest, value);
  if (typeof step === 'string') return { ...(isObject(within) ? within : {}), [step]: placed };
  const list = Array.isArray(within) ? within : [];
  return Array.from({ length: Math.max(list.length, step + 1) }, (_, index) =>
    index === step ? placed : (list[index] ?? null),
  );
}
