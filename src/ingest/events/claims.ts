import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Proof } from '../ports.ts';
import type { DropStep, EventDraft } from './event-draft.ts';

/**
 * Drops an identify of a browser that its site wants signed, and that is not: `user_hash` is the
 * HMAC-SHA256 of the user id under the site's identity secret, in hexadecimal.
 */
export const dropUnsignedClaim: DropStep = (draft) => {
  if (draft.event.type !== 'identify' || proofOf(draft) !== 'signature') return undefined;
  const { event, site } = draft;
  const { user_id: userId = '', user_hash: hash = '' } = event;
  return isSignature(hash, userId, site.identitySecret) ? undefined : 'identity_unsigned';
};

/** What backs an identify of this sender, once no step has dropped it. */
export function proofOf({ sender, site }: EventDraft): Proof {
  if (sender.trustedSiteId !== undefined) return 'key';
  return site.settings?.identify === 'signed' ? 'signature' : 'claim';
}

/** Without a secret nothing is signed. */
function isSignature(hash: string, userId: string, secret: string | undefined): boolean {
  if (secret === undefined) return false;
  const right = createHmac('sha256', secret).update(userId).digest();
  const given = Buffer.from(hash, 'hex');
  return given.length === right.length && timingSafeEqual(given, right);
}
