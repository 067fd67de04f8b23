import Stripe from 'stripe';

/** How often a call that failed is repeated. The package gives each an `Idempotency-Key` of its own. */
const RETRIES_MAX = 3;

/** Stripe, or a stub at the address in `STRIPE_API`. */
export function connectStripe(): Stripe {
  const { STRIPE_SECRET_KEY = '', STRIPE_API = 'https://api.stripe.com' } = process.env;
  const { protocol, hostname: host, port } = new URL(STRIPE_API);
  const isStub = protocol === 'http:';
  return new Stripe(STRIPE_SECRET_KEY, {
    maxNetworkRetries: RETRIES_MAX,
    ...(isStub && { protocol: 'http', host, port }),
  });
}
