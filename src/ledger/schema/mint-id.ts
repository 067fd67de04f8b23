import { randomBytes } from 'node:crypto';

const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';

/** A prefix such as `site_` and 80 random bits, in characters that are not easily confused. */
export function mintId(prefix: string): string {
  return prefix + Array.from(randomBytes(16), (byte) => LETTERS[byte % 32]).join('');
}
