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
    const name: unknown = JSON.parse(objectText.slice(at, nameEnd));
    members.push({ name: String(name), text: objectText.slice(valueStart, valueEnd).trim() });
    at = objectText.indexOf('"', valueEnd);
  }
  return members;
}

/** The comma or brace that ends a value of the outermost object. */
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
