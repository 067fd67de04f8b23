import type { ConnectionSecrets, Delivery, VerifyRefusal } from '../provider.ts';
import { createBodyHmac, verifyToken } from '../webhook-signatures.ts';

type Settings = ConnectionSecrets['settings'];

/** Checks a delivery by the scheme that the connection's settings describe. */
export function verifyGeneric(
  delivery: Delivery,
  { signingSecrets, settings }: ConnectionSecrets,
): VerifyRefusal | undefined {
  if (settings.scheme !== 'bearer') return signatureOf(settings).verify(delivery, signingSecrets);
  const token = /^Bearer +(\S+)$/i.exec(delivery.headers[headerOf(settings)] ?? '')?.[1];
  return verifyToken(token, signingSecrets);
}

/** The headers of a delivery that is signed with a secret. */
export function signGeneric(
  body: string,
  secret: string,
  settings: Settings,
): Readonly<Record<string, string>> {
  if (settings.scheme === 'bearer') return { [headerOf(settings)]: `Bearer ${secret}` };
  return signatureOf(settings).sign(body, secret);
}

function signatureOf(settings: Settings) {
  return createBodyHmac({
    headers: [headerOf(settings)],
    algorithm: settings.algorithm === 'sha512' ? 'sha512' : 'sha256',
    encoding: settings.encoding === 'base64' ? 'base64' : 'hex',
    prefix: settings.prefix ?? '',
  });
}

function headerOf({ scheme, header }: Settings): string {
  return (header || (scheme === 'bearer' ? 'authorization' : 'x-signature')).toLowerCase();
}
