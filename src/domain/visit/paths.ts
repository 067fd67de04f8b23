/**
 * A path as people read it: letters that are percent-encoded are decoded.
 *
 * - Why not all: what hides, reorders or ends a text could make one path look like another, as could a slash, or what
 *   looks like one. These stay encoded, and so does what is no UTF-8, or follows a percent sign that encodes nothing.
 */
export function showPath(path: string): string {
  if (/%(?![\da-f]{2})/i.test(path)) return path;
  const shown = path.replace(/(?:%[\da-f]{2})+/gi, (encoded) => {
    try {
      return [...decodeURIComponent(encoded)].map(keepUnlessReadable).join('');
    } catch {
      return encoded;
    }
  });
  return shown.replace(/^ | $| (?= )/g, '%20');
}

function keepUnlessReadable(letter: string): string {
  const isReadable = READABLE.test(letter) && !UNREADABLE.test(letter);
  return isReadable ? letter : encodeURIComponent(letter);
}

const READABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
/** Signs of addresses and their doubles, what is not drawn, and what is drawn as a blank. */
const UNREADABLE = /[/\\?#%⁄∕⧸／＼？＃％\p{Default_Ignorable_Code_Point}\u2800]/u;

/** A typed path as it is stored. What is encoded stays so. */
export function storePath(typed: string): string {
  return typed.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent);
}
