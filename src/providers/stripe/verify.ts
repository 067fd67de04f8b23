import { createTimedHmac } from '../webhook-signatures.ts';

/**
 * `Stripe-Signature: t=…,v1=…`: the HMAC of `t.body`, with the whole `whsec_…` as its key.
 *
 * - Source: https://docs.stripe.com/webhooks#verify-manually
 */
export const stripeSignature = createTimedHmac({
  ...{ header: 'stripe-signature', separators: [',', '.'], names: ['t', 'v1'] },
});
