import { isUtf8 } from 'node:buffer';
import { RefusedRequest } from '../answers/errors.ts';

/** Containers within containers beyond this are refused. */
export const DEPTH_MAX = 8;
/** The same of queries: each "and" and "or" of a filter is two containers, and eight may nest. */
export const QUERY_DEPTH_MAX = 24;

/** A body's text and what it says. */
export type JsonBody = { readonly text: string; readonly value: unknown };

/**
 * The JSON of a body.
 *
 * - Refuses what is not UTF-8 or not JSON, and what is nested deeper than `depthMax`.
 * - Why depth is looked at first: `JSON.parse` takes seconds for megabytes of brackets.
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

/** Where the parser gave up; its own words repeat what was sent, and change with its version. */
function findPlace(error: unknown): string {
  const [, line, column] = /\(line (\d+) column (\d+)\)/.exec(String(error)) ?? [];
  return line === undefined ? ', or ends too early' : `: see line ${line}, column ${column}`;
}

/** Whether there are more opening brackets than that: most bodies have so few that they cannot be deep. */
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

/** A string, closed or not, or a bracket. It never looks at a character twice. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*\\?"?|[[\]{}]/gs;

/** Counts brackets outside strings; what is not JSON is counted somehow, and refused later. */
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
