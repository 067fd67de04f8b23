import { createHash } from 'node:crypto';
import { isObject, type JsonObject, parseExactJson, textAt } from './json.ts';
import type { Delivery, ProviderEvent } from './provider.ts';

/** The JSON object in a delivery's body; undefined if there is none. */
export function readJsonBody({ body }: Delivery): JsonObject | undefined {
  try {
    const parsed = parseExactJson(body.toString('utf8'));
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** The event of a delivery by Standard Webhooks, for providers whose test mode is a server of its own. */
export function readStandardEvent(delivery: Delivery): ProviderEvent | undefined {
  const body = readJsonBody(delivery);
  const id = delivery.headers['webhook-id'];
  const type = textAt(body, 'type');
  if (body === undefined || !id || type === undefined) return undefined;
  return { id, type, isTest: false, receivedAt: delivery.receivedAt, body };
}

/** The id of an event whose provider gives it none: of the same body, it is the same. */
export function digestOf({ body }: Delivery): string {
  return createHash('sha256').update(body).digest('base64url');
}

/** The fields of a form in a delivery's body. Of a name that repeats, the last one counts. */
export function readFormBody({ body }: Delivery): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(new URLSearchParams(body.toString('utf8')));
}
