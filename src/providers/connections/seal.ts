import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A signing secret. A rotated one is accepted for a while. */
type SigningSecret = { readonly secret: string; readonly until?: number };

/** The secrets of a connection, as they are encrypted: the newest signing secret comes first. */
export type SealedSecrets = {
  readonly signingSecrets: readonly SigningSecret[];
  readonly apiKey?: string;
};

/** Encrypts secrets with AES-256-GCM, for one site: they cannot be moved to another. */
export function seal(secrets: SealedSecrets, key: Buffer, siteId: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(siteId));
  const text = Buffer.concat([cipher.update(JSON.stringify(secrets)), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64');
}

/** What is known of secrets that cannot be read. */
export const UNREADABLE: SealedSecrets = { signingSecrets: [] };

/**
 * Decrypts secrets. Those that another key encrypted are {@link UNREADABLE}: a backup was restored without it. People
 * then give them again.
 */
export function unseal(sealed: string, key: Buffer, siteId: string): SealedSecrets {
  const bytes = Buffer.from(sealed, 'base64');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(siteId)).setAuthTag(tag);
    const text = bytes.subarray(NONCE_BYTES + TAG_BYTES);
    return JSON.parse(`${decipher.update(text)}${decipher.final()}`);
  } catch {
    return UNREADABLE;
  }
}
