import type { Payer } from './facts.ts';
import { isObject, type JsonObject, type JsonValue, parseExactJson } from './json.ts';

/** Names under which a shop may pass the visitor id on: that of our cookie, and others. */
export const VISITOR_ID_NAMES = [
  'service_visitor_id',
  'visitor_id',
  'tributary_visitor_id',
  'datafast_visitor_id',
];

/** What can be a visitor id. Source: the contract. */
const VISITOR_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** Names under which a shop may say which of its sites was paid. */
const SITE_NAMES = ['tributary_site', 'site'];
const SITE_LENGTH_MAX = 255;

/** What a shop attached to a payment for us: the visitor id and, where several sites share an account, the site. */
export type Attached = Pick<Payer, 'visitorId' | 'site'>;

/** Finds what a shop attached to a payment for us. The first that has one wins. */
export function findAttached(...attached: readonly (JsonValue | undefined)[]): Attached {
  const site = attached.map(findSiteIn).find((each) => each !== undefined);
  return { visitorId: findVisitorId(...attached), ...(site !== undefined && { site }) };
}

/**
 * The visitor id in what a shop attached to a payment: metadata, custom data, notes, attributes. The first that has
 * one wins.
 *
 * - Shape: an object, such an object as JSON text, or a list of `name` or `key` with `value`.
 */
export function findVisitorId(...attached: readonly (JsonValue | undefined)[]): string | undefined {
  for (const each of attached) {
    const found = findIn(each);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A text that can be a visitor id, for providers with one field for whatever a shop attaches. */
export function toVisitorId(value: JsonValue | undefined): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && VISITOR_ID.test(text) ? text : undefined;
}

function findIn(attached: JsonValue | undefined): string | undefined {
  const named = toNamed(attached);
  for (const name of VISITOR_ID_NAMES) {
    // Shops hide what buyers need not see with a leading underscore.
    for (const written of [name, `_${name}`]) {
      const found = toVisitorId(Object.hasOwn(named, written) ? named[written] : undefined);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function findSiteIn(attached: JsonValue | undefined): string | undefined {
  const named = toNamed(attached);
  const values = SITE_NAMES.map((name) => (Object.hasOwn(named, name) ? named[name] : undefined));
  return values.find(isSite);
}

function isSite(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value !== '' && value.length <= SITE_LENGTH_MAX;
}

function toNamed(attached: JsonValue | undefined): JsonObject {
  if (isObject(attached)) return attached;
  if (typeof attached === 'string' && attached.startsWith('{')) return parseObject(attached);
  if (!Array.isArray(attached)) return {};
  return Object.fromEntries(
    attached.filter(isObject).map((each) => [String(each.name ?? each.key), each.value]),
  );
}

function parseObject(text: string): JsonObject {
  try {
    const parsed = parseExactJson(text);
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}
