import { verify, X509Certificate } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Delivery, VerifyRefusal } from '../provider.ts';
import { findTimeFault } from '../signatures.ts';

/** PayPal repeats a delivery for three days, with the time of the first. */
const AGE_MAX_MS = 4 * 86_400_000;

/** The address of the certificate that a delivery names, if it is PayPal's own. */
export function findPayPalCertificateUrl({ headers }: Delivery): string | undefined {
  const text = headers['paypal-cert-url'] ?? '';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOwn =
    url?.protocol === 'https:' &&
    url.hostname.endsWith('.paypal.com') &&
    url.pathname.startsWith('/v1/notifications/certs/') &&
    [url.port, url.username, url.password, url.search].every((part) => part === '');
  return isOwn ? url.href : undefined;
}

/**
 * Checks the RSA signature of a delivery over its id, its time, the id of our webhook, and a checksum of the body.
 *
 * - Why no chain: the certificate was read over TLS from PayPal's own host.
 * - Source: https://developer.paypal.com/api/rest/webhooks/rest/#verify-event-notifications.
 */
export function verifyPayPal(
  { headers, body, receivedAt }: Delivery,
  webhookIds: readonly string[],
  certificate: string | undefined,
): VerifyRefusal | undefined {
  const id = headers['paypal-transmission-id'];
  const time = headers['paypal-transmission-time'];
  const signature = headers['paypal-transmission-sig'];
  if (!id || !time || !signature) return 'unsigned';
  const key = certificate === undefined ? undefined : readKey(certificate, receivedAt);
  if (key === undefined || headers['paypal-auth-algo'] !== 'SHA256withRSA') return 'forged';
  const sent = Buffer.from(signature, 'base64');
  const isSigned = webhookIds
    .filter((webhookId) => webhookId !== '')
    .some((webhookId) => {
      const message = Buffer.from(`${id}|${time}|${webhookId}|${crc32(body)}`);
      return verify('RSA-SHA256', message, key, sent);
    });
  return isSigned ? findTimeFault(Date.parse(time), receivedAt, AGE_MAX_MS) : 'forged';
}

/** The public key in a certificate of PayPal's that is valid now. */
function readKey(text: string, now: number) {
  try {
    const { subject, publicKey, validFrom, validTo } = new X509Certificate(text);
    const isValid = Date.parse(validFrom) <= now && now <= Date.parse(validTo);
    const isOwn = /^CN=messageverificationcerts[\w.-]*\.paypal\.com$/m.test(subject);
    return isValid && isOwn && publicKey.asymmetricKeyType === 'rsa' ? publicKey : undefined;
  } catch {
    return undefined;
  }
}
