/** What stands for a secret. */
export const MASK = '…';

/** Parts of an address that are long enough for a secret, or for a word before one. */
const PARTS = /[^/?&=#;]{5,}/g;
/** More parts than any page's address has. The others are masked unread, to limit the cost. */
const PARTS_MAX = 50;
/** Words before a secret, as in `/reset-password/7f3a9c` and `?token=7f3a9c`. */
const BEFORE_SECRET =
  /reset|passw|verif|confirm|activat|invit|unsubscri|recover|token|secret|(?:magic|log-?in|sign-?in)-?link/i;
/** What is secret after such a word: a number, or letters and digits mixed. */
const CODE = /^\d{6,}$|(?<![a-z\d])(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{6,}/i;
const LONG_HEX = /[\da-f]{32,}/gi;
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/i;

/**
 * Masks what looks like a secret in a path or URL with `…`.
 *
 * - Secrets are e-mail addresses, 32 hexadecimal digits and more, tokens such as JWTs and random Base64, and
 *   codes after a word such as `reset-password`. Words, numbers, UUIDs and shorter ids name pages.
 * - Why digits first, and no pattern that reads a long text again and again: this runs for every event.
 */
export function maskSecrets(address: string): string {
  if (!/[\d@]/.test(address)) return address;
  let [count, word] = [0, ''];
  return address.replace(PARTS, (part) => {
    const before = word;
    word = part;
    count += 1;
    if (count > PARTS_MAX) return MASK;
    if (!/[\d@]/.test(part)) return part;
    const isCode = BEFORE_SECRET.test(before) && CODE.test(part);
    return isCode || isEmail(part) || isToken(part) ? MASK : part.replace(LONG_HEX, MASK);
  });
}

/** Whether a text has an e-mail address. */
export function isEmail(text: string): boolean {
  const at = text.replace('%40', '@').indexOf('@');
  return at > 0 && text.indexOf('.', at + 2) > 0;
}

/** What chance makes more often than words do: letters beside digits, and two capitals. */
const CHANCE = /[A-Za-z](?=\d)|\d(?=[A-Za-z])|[A-Z](?=[A-Z])/g;

/** Whether a part is random: 128 bits in Base64, or as long as no page's id if it has no capitals. */
function isToken(part: string): boolean {
  if (part.startsWith('eyJ')) return true; // A JWT: JSON in Base64.
  if (part.length < 22) return false;
  const isMixed = /[a-z]/.test(part) && /[A-Z]/.test(part);
  const text = (isMixed ? part : part.toLowerCase()).slice(0, 256);
  const pairs = text.match(CHANCE)?.length ?? 0;
  const separators = text.replaceAll(/[A-Za-z\d]/g, '').length;
  const isRandom = pairs >= text.length / 5 && separators <= text.length / 10;
  return isRandom && (isMixed || text.length >= 32) && !UUID.test(text);
}
