import { creem } from '../creem/creem.ts';
import { dodo } from '../dodo/dodo.ts';
import { generic } from '../generic/generic.ts';
import { gumroad } from '../gumroad/gumroad.ts';
import { lemonSqueezy } from '../lemonsqueezy/lemonsqueezy.ts';
import { mollie } from '../mollie/mollie.ts';
import { paddle } from '../paddle/paddle.ts';
import { payPal } from '../paypal/paypal.ts';
import { paystack } from '../paystack/paystack.ts';
import { polar } from '../polar/polar.ts';
import type { Provider } from '../provider.ts';
import { razorpay } from '../razorpay/razorpay.ts';
import { shopify } from '../shopify/shopify.ts';
import { stripe } from '../stripe/stripe.ts';
import { wooCommerce } from '../woocommerce/woocommerce.ts';

/** Every provider that can be connected, in the order in which people see them. */
export const PROVIDERS: readonly Provider[] = [
  ...[stripe, paddle, lemonSqueezy, polar, creem, dodo],
  ...[shopify, payPal, gumroad, wooCommerce, paystack, razorpay, mollie, generic],
];

const BY_NAME = new Map(PROVIDERS.map((provider) => [provider.name, provider]));

/** Finds a provider by its name, such as `stripe`. */
export function findProvider(name: string): Provider | undefined {
  return BY_NAME.get(name);
}
