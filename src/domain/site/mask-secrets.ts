/** What stands for a secret. */
export const MASK = '…';

/** Parts of an address that are long enough for a secret, or for a word before one. */
const PARTS = /[^/?&=#;]{5,}/g;
/** Words before a secret, as in `/reset-password/7f3a9c` and `?token=7f3a9c`. */
const BEFORE_SECRET =
  /reset|passw|verif|confirm|activat|invit|unsubscri|recover|token|secret|^(?:magic|share)$|(?:magic|log-?in|sign-?in)-?link/i;
/** What is secret after such a word: a number, or letters and digits mixed. */
const CODE = /^\d{6,}$|(?<![a-z\d])(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{6,}/i;
/** Names that consist of such words. After them, one word of letters is secret too, unless it names a step or service. */
const NAME_OF_SECRET =
  /^(?:(?:account|auth|code|e?-?mail|link|log-?in|password|reset|token|user|activat(?:e|ion)|confirm(?:ation)?|invit(?:e|ation)s?|magic|recover(?:y)?|secret|share|unsubscribe|verif(?:y|ication))[-_]?){1,3}$/i;
const LETTERS =
  /^(?!accept|account|activ|address|cancel|chang|check|complet|confirm|continu|declin|expir|facebook|finish|forgot|friend|insta|instruct|invit|linkedin|mastodon|messag|notif|passw|pinterest|profil|receiv|recover|regist|request|resend|setting|signin|signup|subscri|success|telegram|thank|twitter|unsubscri|verif|welcome|whatsapp)[a-z]{8,}$/i;
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;

/** What became of the latest addresses: most events name few pages, and finding a secret costs more than all else. */
const masked = new Map<string, string>();
const MASKED_MAX = 1_000;

/**
 * Masks what looks like a secret in a path, URL or campaign tag with `…`.
 *
 * - Secrets are e-mail addresses, JWTs, random texts of 20 characters and more, and codes after a word such as
 *   `reset-password`. Words, numbers, UUIDs and shorter ids name pages.
 * - Why no pattern that reads a long text again and again: this runs for every event.
 */
export function maskSecrets(address: string): string {
  const known = masked.get(address);
  if (known !== undefined) return known;
  if (masked.size === MASKED_MAX) masked.clear();
  const found = mask(address);
  masked.set(address, found);
  return found;
}

function mask(address: string): string {
  let word = '';
  return address.replace(PARTS, (part) => {
    const before = word;
    word = part;
    const text = decodeAscii(part);
    if (isEmail(text) || text.startsWith('eyJ') || isCode(text, before)) return MASK;
    const masked = text.length < 20 ? text : text.replace(RUN, maskRandom);
    if (masked === text) return part;
    return text === part ? masked : MASK;
  });
}

/** A text whose ASCII characters are no longer percent-encoded, however often they were. */
export function decodeAscii(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/%(?:25)*([0-7][\da-f])/gi, (_, hex) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
}

/** Whether a text has an e-mail address. */
export function isEmail(text: string): boolean {
  const at = text.indexOf('@');
  return at > 0 && /\.\D/.test(text.slice(at + 2)); // Not `name@1.2.3`, a version.
}

function isCode(text: string, before: string): boolean {
  if (CODE.test(text)) return BEFORE_SECRET.test(before);
  return LETTERS.test(text) && NAME_OF_SECRET.test(before);
}

/** Characters of random texts in Base64 and its like. */
const RUN = /[\w+/=-]{20,}/g;
const LETTERS_AND_DIGITS = /[a-z\d]{20,}/gi;
/** What people read as a word or number. Random texts have many, because their characters change at every turn. */
const WORD = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g;

/** Masks a run if it is random as a whole, and otherwise what is random in it, such as hexadecimal digits. */
function maskRandom(run: string): string {
  if (isRandom(run)) return MASK;
  return run.replace(LETTERS_AND_DIGITS, (piece) => (isRandom(piece) ? MASK : piece));
}

/**
 * Whether a text has as many words as chance makes. In a text of capitals and small letters, words that signs separate
 * do not count, and a long text or one without digits has to have more. A text of one case has no signs.
 */
function isRandom(run: string): boolean {
  const text = run.replace(UUID, '');
  const words = text.match(WORD)?.length ?? 0;
  const signs = text.replace(/[A-Za-z\d]+/g, '').length;
  const isMixed = /[a-z]/.test(text) && /[A-Z]/.test(text);
  if (!isMixed) return signs === 0 && words >= Math.max(4, text.length / 8);
  const least = text.length < 25 && /\d/.test(text) ? 0.27 : 0.3;
  const separated = signs > 2 ? signs : signs >> 1; // One or two are chance, too.
  return words - separated >= (text.length - signs) * least;
}
