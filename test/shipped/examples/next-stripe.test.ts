import { describe } from 'node:test';
import { createStripeStub } from '../../../examples/stubs/stripe.ts';
import { buildNext, startNext } from './build-next.ts';
import { sellThrough } from './sell-through.ts';

describe('the Next.js shop with Stripe Checkout', () => {
  sellThrough({
    ...{ example: 'next-stripe', provider: 'stripe', secret: 'whsec_5f1c2a9e7b3d4f60a1b2' },
    createStub: createStripeStub,
    install: buildNext,
    start: startNext,
    variables: (stub) => ({
      ...{ STRIPE_API: stub, STRIPE_SECRET_KEY: 'sk_live_of_nobody' },
      STRIPE_PRICE_ID: 'price_kettle',
    }),
  });
});
