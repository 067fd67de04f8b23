import { isUtf8 } from 'node:buffer';
import { RefusedRequest } from '../errors/errors.ts';

/** The maximum nesting depth of a body. */
export const DEPTH_MAX = 8;
/** The maximum for queries: each "and" or "or" of a filter adds two levels, and eight may nest. */
const QUERY_DEPTH_MAX = 24;

/** A body's text and its parsed value. */
export type JsonBody = { readonly text: string; readonly value: unknown };

/**
 * Parses a body as JSON.
 *
 * - Refuses a body that is not UTF-8, not JSON, or nested deeper than `depthMax`.
 * - Why the depth is checked first: `JSON.parse` takes seconds for megabytes of brackets.
 */
export function readJson(bytes: Buffer, depthMax = DEPTH_MAX): JsonBody {
  const text = decodeUtf8(bytes);
  if (hasMoreThan(DEPTH_MAX, text)) for (const _ of tokensOf(text, depthMax));
  return { text, value: parse(text) };
}

/** Parses the body of a query, whose filters may nest. */
export function readQuery(bytes: Buffer): JsonBody {
  return readJson(bytes, QUERY_DEPTH_MAX);
}

/** Decodes a body. Refuses what is not UTF-8. */
export function decodeUtf8(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw notJson('The body is not UTF-8.');
}

/** Parses a text whose depth is checked. Refuses what is not JSON. */
export function parse(text: string, what = 'The body'): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw notJson(`${what} is not JSON${findPlace(error)}.`);
  }
}

function notJson(message: string): RefusedRequest {
  return new RefusedRequest('invalid_json', message);
}

/** The position of a syntax error. The parser's own message would echo the input, and varies by version. */
function findPlace(error: unknown): string {
  const [, line, column] = /\(line (\d+) column (\d+)\)/.exec(String(error)) ?? [];
  return line === undefined ? ', or ends too early' : `: see line ${line}, column ${column}`;
}

/** Whether a text has more opening brackets than that. Most bodies have too few to be deep. */
function hasMoreThan(count: number, text: string): boolean {
  let left = count;
  for (const bracket of '{[') {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      if (left === 0) return true;
      left -= 1;
    }
  }
  return false;
}

const STEPS: Readonly<Record<string, number>> = { '{': 1, '[': 1, '}': -1, ']': -1 };

/**
 * The strings, brackets and commas of a text: the last character of each, its place, and how many brackets it is in.
 * Invalid JSON may be misread, but is refused later.
 *
 * - Refuses a text that is nested deeper than `depthMax`.
 */
export function* tokensOf(text: string, depthMax: number) {
  const token = /"[^"\\]*(?:\\.[^"\\]*)*\\?"?|[[\]{},]/gs; // Never backtracks.
  let depth = 0;
  while (token.test(text)) {
    const at = token.lastIndex - 1;
    const last = text.charAt(at);
    const next = depth + (STEPS[last] ?? 0);
    const level = Math.max(depth, next);
    if (level > depthMax) throw notJson(`The body is nested deeper than ${depthMax}.`);
    yield { at, last, level };
    depth = next;
  }
}
