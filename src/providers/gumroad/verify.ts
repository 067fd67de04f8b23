import { readFormBody } from '../deliveries.ts';
import type { ConnectionSecrets, Delivery, VerifyRefusal } from '../provider.ts';
import { isSame } from '../signatures.ts';
import { verifyToken } from '../webhook-signatures.ts';

/** Gumroad signs nothing: a delivery is accepted if it has the token of the address and the seller's id. */
export function verifyGumroad(
  delivery: Delivery,
  { signingSecrets, settings }: ConnectionSecrets,
): VerifyRefusal | undefined {
  const refusal = verifyToken(delivery.addressToken, signingSecrets);
  if (refusal !== undefined) return refusal;
  const seller = readFormBody(delivery).seller_id ?? '';
  return isSame(Buffer.from(seller), Buffer.from(settings.seller_id ?? '')) ? undefined : 'forged';
}
