import { findStringEnd } from './read-json.ts';

/** A member of a JSON object: its name, and its value as it is written. */
export type JsonMember = { readonly name: string; readonly text: string };

/**
 * The members of a JSON object in the order written, duplicates included.
 *
 * - Shape: the text of an object that `JSON.parse` has accepted; nothing else may come.
 * - Why not a parser that keeps numbers as text: the object is parsed already. This finds what
 *   parsing loses: the digits of an amount, and that a name came twice.
 */
export function listMembers(objectText: string): JsonMember[] {
  const members: JsonMember[] = [];
  let at = objectText.indexOf('"');
  while (at !== -1) {
    const nameEnd = findStringEnd(objectText, at) + 1;
    const valueStart = objectText.indexOf(':', nameEnd) + 1;
    const valueEnd = findValueEnd(objectText, valueStart);
    const name = readName(objectText.slice(at, nameEnd));
    members.push({ name, text: objectText.slice(valueStart, valueEnd).trim() });
    at = objectText.indexOf('"', valueEnd);
  }
  return members;
}

function readName(quoted: string): string {
  return quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
}

/** JSON pointers of those members of an object that come more than once, and of such within them. */
export function findDuplicates(members: readonly JsonMember[], path = ''): string[] {
  const names = new Set<string>();
  const duplicates = new Set<string>();
  for (const { name, text: value } of members) {
    const at = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (names.has(name)) duplicates.add(at);
    names.add(name);
    for (const deeper of findDuplicates(listWithin(value), at)) duplicates.add(deeper);
  }
  return [...duplicates];
}

/** What stands in an object or array; nothing in any other value. */
function listWithin(value: string): JsonMember[] {
  if (value.startsWith('{')) return listMembers(value);
  return value.startsWith('[') ? listElements(value) : [];
}

/** The elements of an array, named by their position. */
function listElements(arrayText: string): JsonMember[] {
  const elements: JsonMember[] = [];
  let start = arrayText.indexOf('[') + 1;
  while (start < arrayText.length) {
    const end = findValueEnd(arrayText, start);
    elements.push({ name: String(elements.length), text: arrayText.slice(start, end).trim() });
    start = arrayText[end] === ',' ? end + 1 : arrayText.length;
  }
  return elements;
}

/** The comma or bracket that ends a value of the outermost object or array. */
function findValueEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    switch (text[at]) {
      case '"':
        at = findStringEnd(text, at);
        break;
      case '{':
      case '[':
        depth += 1;
        break;
      case '}':
      case ']':
        if (depth === 0) return at;
        depth -= 1;
        break;
      case ',':
        if (depth === 0) return at;
        break;
    }
  }
  return text.length;
}
