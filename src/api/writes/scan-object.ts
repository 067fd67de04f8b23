import { FAULTS_MAX } from '#contract/checker.ts';

/** Details that `JSON.parse` loses: the digits of a number, and repeated names. */
type ScannedObject = {
  /** The text of the named member of the outermost object, if it is a number. */
  readonly numberText: string | undefined;
  /** JSON pointers of the first members that occur more than once, at any depth. */
  readonly duplicates: readonly string[];
};

/** An open object or array, and the member being read. */
type Container = {
  readonly inside: Container | undefined;
  /** The names seen so far; `undefined` for an array. */
  readonly names: Set<string> | undefined;
  at: string | number | undefined;
};

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},]/g;
const NUMBER = /\s*:\s*([-\d][^\s,}]*)/y;

/**
 * Scans the text of an object that `JSON.parse` has accepted.
 *
 * - Shape: `text` must be such an object.
 */
export function scanObject(text: string, numberName: string): ScannedObject {
  const open: Container[] = [];
  const duplicates = new Set<string>();
  let numberText: string | undefined;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const name = step(open, token, duplicates);
    if (duplicates.size === FAULTS_MAX) break;
    if (name !== numberName || open.length > 1) continue;
    numberText ??= numberBehind(text, index + token.length);
  }
  return { numberText, duplicates: [...duplicates] };
}

/** Processes one token. Returns it if it is a member's name. */
function step(open: Container[], token: string, duplicates: Set<string>): string | undefined {
  const inside = open.at(-1);
  switch (token) {
    case '{':
    case '[': {
      const isObject = token === '{';
      const names = isObject ? new Set<string>() : undefined;
      open.push({ inside, names, at: isObject ? undefined : 0 });
      return undefined;
    }
    case '}':
    case ']':
      open.pop();
      return undefined;
    case ',':
      if (inside) inside.at = typeof inside.at === 'number' ? inside.at + 1 : undefined;
      return undefined;
  }
  if (inside?.names === undefined || inside.at !== undefined) return undefined; // A value.
  const name = token.includes('\\') ? String(JSON.parse(token)) : token.slice(1, -1);
  inside.at = name;
  if (inside.names.has(name)) duplicates.add(pathOf(inside));
  inside.names.add(name);
  return name;
}

function numberBehind(text: string, at: number): string | undefined {
  NUMBER.lastIndex = at;
  return NUMBER.exec(text)?.[1];
}

function pathOf(container: Container | undefined): string {
  if (container === undefined) return '';
  const name = String(container.at).slice(0, 100); // Each pointer repeats it.
  return `${pathOf(container.inside)}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
