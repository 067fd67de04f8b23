import { CREEM } from '../creem/creem.ts';
import { DODO } from '../dodo/dodo.ts';
import { LEMON_SQUEEZY } from '../lemonsqueezy/lemonsqueezy.ts';
import { PADDLE } from '../paddle/paddle.ts';
import { POLAR } from '../polar/polar.ts';
import type { Provider } from '../provider.ts';
import { stripe } from '../stripe/stripe.ts';

/** Every provider that can be connected, in the order in which people see them. */
export const PROVIDERS: readonly Provider[] = [stripe, PADDLE, LEMON_SQUEEZY, POLAR, CREEM, DODO];

const BY_NAME = new Map(PROVIDERS.map((provider) => [provider.name, provider]));

/** Finds a provider by its name, such as `stripe`. */
export function findProvider(name: string): Provider | undefined {
  return BY_NAME.get(name);
}
