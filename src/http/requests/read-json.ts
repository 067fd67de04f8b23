import { isUtf8 } from 'node:buffer';
import { RefusedRequest } from '../answers/errors.ts';

/** The maximum nesting depth of a body. */
export const DEPTH_MAX = 8;
/** The maximum for queries: each "and" or "or" of a filter adds two levels, and eight may nest. */
export const QUERY_DEPTH_MAX = 24;

/** A body's text and its parsed value. */
export type JsonBody = { readonly text: string; readonly value: unknown };

/**
 * Parses a body as JSON.
 *
 * - Refuses a body that is not UTF-8, not JSON, or nested deeper than `depthMax`.
 * - Why the depth is checked first: `JSON.parse` takes seconds for megabytes of brackets.
 */
export function readJson(bytes: Buffer, depthMax = DEPTH_MAX): JsonBody {
  if (!isUtf8(bytes)) throw notJson('The body is not UTF-8.');
  const text = bytes.toString('utf8');
  if (hasMoreThan(text, depthMax) && isDeeperThan(text, depthMax)) {
    throw notJson(`The body is nested deeper than ${depthMax}.`);
  }
  try {
    return { text, value: JSON.parse(text) };
  } catch (error) {
    throw notJson(`The body is not JSON${findPlace(error)}.`);
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

/** Whether there are more opening brackets than that. Most bodies have too few to be deep. */
function hasMoreThan(text: string, bracketsMax: number): boolean {
  let count = 0;
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      count += 1;
      if (count > bracketsMax) return true;
    }
  }
  return false;
}

/** A string, closed or not, or a bracket. Never backtracks. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*\\?"?|[[\]{}]/gs;

/** Counts brackets outside strings. Invalid JSON may be miscounted, but is refused later. */
function isDeeperThan(text: string, depthMax: number): boolean {
  let depth = 0;
  TOKEN.lastIndex = 0;
  while (TOKEN.test(text)) {
    const last = text[TOKEN.lastIndex - 1];
    if (last === '"') continue;
    depth += last === '{' || last === '[' ? 1 : -1;
    if (depth > depthMax) return true;
  }
  return false;
}
