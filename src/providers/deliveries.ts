import { createHash } from 'node:crypto';
import { isObject, type JsonObject, parseExactJson } from './json.ts';
import type { Delivery } from './provider.ts';

/** The JSON object in a delivery's body; undefined if there is none. */
export function readJsonBody({ body }: Delivery): JsonObject | undefined {
  try {
    const parsed = parseExactJson(body.toString('utf8'));
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** The id of an event whose provider gives it none: of the same body, it is the same. */
export function digestOf({ body }: Delivery): string {
  return createHash('sha256').update(body).digest('base64url');
}

/** The fields of a form in a delivery's body. Of a name that repeats, the last one counts. */
export function readFormBody({ body }: Delivery): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(new URLSearchParams(body.toString('utf8')));
}
