import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

/** What a hash costs: the parameters of scrypt. */
export type PasswordCost = Readonly<Record<'N' | 'r' | 'p', number>>;

/** Hashes a password at a cost that was chosen before. */
export type HashOf = (password: string) => Promise<string>;

/** Source: OWASP's Password Storage Cheat Sheet. Needs 32 MB per attempt. */
const COST: PasswordCost = { N: 2 ** 15, r: 8, p: 3 };
const MEMORY_MAX_BYTES = 64 * 1024 * 1024;
const SALT_BYTES = 16;
const DIGEST_BYTES = 32;

let last: Promise<unknown> = Promise.resolve();

/** Hashes a password for storage: `scrypt$N$r$p$salt$digest`. */
export async function hashPassword(password: string, cost = COST): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const digest = await digestOf(password, salt, cost);
  const { N, r, p } = cost;
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
