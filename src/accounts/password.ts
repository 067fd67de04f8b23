import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

/** The allowed length of a password in characters. Long ones cost no more, because they are hashed first. */
export const PASSWORD_LENGTH = { min: 10, max: 200 } as const;

/** Source: OWASP's Password Storage Cheat Sheet. Needs 32 MB per attempt. */
const COST = { N: 2 ** 15, r: 8, p: 3 } as const;
const MEMORY_MAX_BYTES = 64 * 1024 * 1024;
const SALT_BYTES = 16;
const DIGEST_BYTES = 32;

const DISTINCT_MIN = 5;
/** Orders that people type from; attackers try their parts first. */
const ORDERS = [
  '012345678901234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
];
const COMMON_WORDS = new Set(
  'password passwort passwd qwerty letmein welcome admin tributary'.split(' '),
);

let last: Promise<unknown> = Promise.resolve();

/**
 * Whether an attacker would try a password among the first: few different characters, a part of
 * the alphabet or of a row of keys, or a common word with digits or signs around it.
 */
export function isGuessable(password: string): boolean {
  const text = password.toLowerCase();
  const reversed = [...text].reverse().join('');
  return (
    new Set(text).size < DISTINCT_MIN ||
    ORDERS.some((order) => order.includes(text) || order.includes(reversed)) ||
    COMMON_WORDS.has(text.replace(/[^\p{L}]+/gu, ''))
  );
}

/** Hashes a password for storage: `scrypt$N$r$p$salt$digest`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const digest = await digestOf(password, salt, COST);
  const { N, r, p } = COST;
  return ['scrypt', N, r, p, salt.toString('base64'), digest.toString('base64')].join('$');
}

/** Verifies a password against its stored hash. */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const [scheme, N, r, p, salt = '', digest = ''] = hash.split('$');
  if (scheme !== 'scrypt') return false;
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const expected = Buffer.from(digest, 'base64');
  const found = await digestOf(password, Buffer.from(salt, 'base64'), cost);
  return expected.length === found.length && timingSafeEqual(expected, found);
}

/**
 * Runs one at a time, so that many attempts do not use up memory and threads. Unicode normalization
 * makes a password independent of how a keyboard composes its characters.
 */
function digestOf(password: string, salt: Buffer, cost: ScryptOptions): Promise<Buffer> {
  const text = password.normalize('NFKC');
  const options = { ...cost, maxmem: MEMORY_MAX_BYTES };
  const digest = last.then(
    () =>
      new Promise<Buffer>((resolve, reject) => {
        scrypt(text, salt, DIGEST_BYTES, options, (error, key) =>
          error === null ? resolve(key) : reject(error),
        );
      }),
  );
  last = digest.catch(() => {});
  return digest;
}
