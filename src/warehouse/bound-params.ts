/**
 * The values bound to a statement's `{name:Type}` places, read from a ClickHouse client's request.
 *
 * A client sends each value as `param_NAME` in the engine's escaped text form. The embedded engine
 * takes plain values and escapes them itself, so they are read back here: arrays element by
 * element, everything else as text.
 *
 * - Throws on a malformed array: the client made it, so it is a bug.
 */
export function toBoundParams(sql: string, search: URLSearchParams): Record<string, BoundValue> {
  const params: Record<string, BoundValue> = {};
  for (const [key, text] of search) {
    if (!key.startsWith('param_')) continue;
    const name = key.slice('param_'.length);
    params[name] = isArrayPlace(sql, name) ? readArray(text) : unescapeText(text);
  }
  return params;
}

/** What the embedded engine takes as the value of a bound place. */
export type BoundValue = string | number | BoundValue[];

function isArrayPlace(sql: string, name: string): boolean {
  return new RegExp(`\\{${name}\\s*:\\s*Array\\(`).test(sql);
}

const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  '0': '\0',
};

function unescapeText(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(.)/gs, (_, escaped: string) => ESCAPES[escaped] ?? escaped);
}

/** Elements are quoted text, bare numbers or arrays of these: `['a','b\'c']`, `[1,2]`. */
function readArray(text: string): BoundValue[] {
  const elements = /\s*(?:'((?:[^'\\]|\\.)*)'|(-?[0-9.eE+-]+)|(\[.*?\]))\s*(,|\]$)/gsy;
  if (!text.startsWith('[')) throw new Error('an array parameter begins with [');
  if (/^\[\s*\]$/.test(text)) return [];
  const values: BoundValue[] = [];
  elements.lastIndex = 1;
  for (;;) {
    const match = elements.exec(text);
    if (match === null) throw new Error('an array parameter is malformed');
    const [, quoted, bare, nested, end] = match;
    if (quoted !== undefined) values.push(unescapeText(quoted));
    else if (bare !== undefined) values.push(Number(bare));
    else values.push(readArray(nested ?? ''));
    if (end === ']') return values;
  }
}
