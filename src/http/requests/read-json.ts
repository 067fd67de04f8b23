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

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

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

/** Counts brackets outside strings; what is not JSON is counted somehow, and refused later. */
function isDeeperThan(text: string, depthMax: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = findStringEnd(text, at);
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth += 1;
      if (depth > depthMax) return true;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      depth -= 1;
    }
  }
  return false;
}

/** Where the string that opens at `start` closes; the text's end when it does not. */
export function findStringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes += 1;
  return backslashes % 2 === 1;
}
