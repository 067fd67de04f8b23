import { stripe } from '@better-auth/stripe';
import { creem } from '@creem_io/better-auth';
import { checkout, polar } from '@polar-sh/better-auth';
import { Polar } from '@polar-sh/sdk';
import { tributary } from '@tributary/better-auth';
import { betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';
import Stripe from 'stripe';

/** A shop with the plug-ins of three providers. */
export function openShop(baseURL) {
  const none = { createCustomerOnSignUp: false };
  const httpClient = Stripe.createFetchHttpClient();
  const stripeClient = new Stripe('sk_test_1', { httpClient, maxNetworkRetries: 0 });
  const plans = [{ name: 'pro', priceId: 'price_1' }];
  const products = [{ productId: 'product-1', slug: 'pro' }];
  const client = new Polar({ accessToken: 'polar_oat_1' });
  return betterAuth({
    ...{ baseURL, secret: 'a secret of thirty-two characters' },
    database: memoryAdapter({
      ...{ user: [], session: [], account: [], verification: [], subscription: [] },
    }),
    emailAndPassword: { enabled: true },
    rateLimit: { enabled: false },
    logger: { disabled: true },
    plugins: [
      tributary({ tributary: false }),
      stripe({
        ...{ ...none, stripeClient, stripeWebhookSecret: 'whsec_1' },
        subscription: { enabled: true, plans },
      }),
      polar({ ...none, client, use: [checkout({ products })] }),
      creem({ apiKey: 'creem_1', testMode: true, persistSubscriptions: false }),
    ],
  }).handler;
}
