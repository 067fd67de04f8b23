import { execFile } from 'node:child_process';
import { describe } from 'node:test';
import { promisify } from 'node:util';
import { createStripeStub } from '../../../examples/stubs/stripe.ts';
import { sellThrough } from './sell-through.ts';

const NEXT = 'node_modules/next/dist/bin/next';

describe('the Next.js shop with Stripe Checkout', () => {
  sellThrough({
    ...{ example: 'next-stripe', provider: 'stripe', secret: 'whsec_5f1c2a9e7b3d4f60a1b2' },
    createStub: createStripeStub,
    // The build checks the types, too.
    prepare: async (folder) => {
      const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' };
      await promisify(execFile)(process.execPath, [NEXT, 'build'], { cwd: folder, env });
    },
    command: [NEXT, 'start', '--hostname', '127.0.0.1', '--port', '0'],
    variables: (stub) => ({
      ...{ STRIPE_API: stub, STRIPE_SECRET_KEY: 'sk_live_of_nobody', NEXT_TELEMETRY_DISABLED: '1' },
      STRIPE_PRICE_ID: 'price_kettle',
    }),
  });
});
