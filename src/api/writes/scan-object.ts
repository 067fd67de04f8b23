import { FAULTS_MAX } from '#contract/checker.ts';

/** Details that `JSON.parse` loses: the digits of a number, and repeated names. */
type ScannedObject = {
  /** The texts of the members with that name that are numbers, at any depth, by their JSON pointers. */
  readonly numberTexts: ReadonlyMap<string, string>;
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

const NUMBER = /\s*:\s*([-\d][^\s,}]*)/y;

/**
 * Scans the text of an object that `JSON.parse` has accepted, character by character: matches of a pattern take twice
 * as long, and every payment is scanned.
 */
export function scanObject(text: string, numberName: string): ScannedObject {
  const duplicates = new Set<string>();
  const numberTexts = new Map<string, string>();
  let open: Container | undefined;
  for (let at = 0, end = 0; at < text.length && duplicates.size < FAULTS_MAX; at = end) {
    const isString = text[at] === '"';
    end = isString ? endOfString(text, at) : at + 1;
    if (!isString) open = step(open, text[at] as string);
    if (!isString || open?.names === undefined || open.at !== undefined) continue;
    open.at = nameOf(text.slice(at, end));
    const isAgain = open.names.has(open.at);
    if (isAgain) duplicates.add(pathOf(open));
    open.names.add(open.at);
    const number = open.at === numberName && !isAgain && numberBehind(text, end);
    if (number) numberTexts.set(pathOf(open), number);
  }
  return { numberTexts, duplicates: [...duplicates] };
}

function nameOf(quoted: string): string {
  return quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
}

/** The place behind the string that begins at `at`. */
function endOfString(text: string, at: number): number {
  let end = at + 1;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  return end + 1;
}

/** Processes one character outside of strings. Returns the container that is open behind it. */
function step(open: Container | undefined, character: string): Container | undefined {
  switch (character) {
    case '{':
      return { inside: open, names: new Set(), at: undefined };
    case '[':
      return { inside: open, names: undefined, at: 0 };
    case '}':
    case ']':
      return open?.inside;
    case ',':
      if (open) open.at = typeof open.at === 'number' ? open.at + 1 : undefined;
  }
  return open;
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
