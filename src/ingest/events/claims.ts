import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Proof } from '#domain/identity/identity.ts';
import type { DropStep, EventDraft } from './event-draft.ts';

/**
 * Drops an unsigned identify from a browser if the site accepts only signed ones. `user_hash` is the
 * HMAC-SHA256 of the user id with the site's identity secret as the key, in hexadecimal.
 */
export const dropUnsignedClaim: DropStep = (draft) => {
  if (draft.event.type !== 'identify' || proofOf(draft) !== 'signature') return undefined;
  const { event, site } = draft;
  const { user_id: userId = '', user_hash: hash = '' } = event;
  return isSignature(hash, userId, site.identitySecret) ? undefined : 'identity_unsigned';
};

/** The proof behind an identify that passed all drop steps. */
export function proofOf({ sender, site }: EventDraft): Proof {
  if (sender.trustedSiteId !== undefined) return 'key';
  return site.settings?.identify === 'signed' ? 'signature' : 'claim';
}

/** Always false without a secret. */
function isSignature(hash: string, userId: string, secret: string | undefined): boolean {
  if (secret === undefined) return false;
  const expected = createHmac('sha256', secret).update(userId).digest();
  const given = Buffer.from(hash, 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
