import { type KeyObject, sign as signBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { creem } from '#providers/creem/creem.ts';
import { dodo } from '#providers/dodo/dodo.ts';
import { generic } from '#providers/generic/generic.ts';
import { gumroad } from '#providers/gumroad/gumroad.ts';
import { lemonSqueezy } from '#providers/lemonsqueezy/lemonsqueezy.ts';
import { mollie } from '#providers/mollie/mollie.ts';
import { paddle } from '#providers/paddle/paddle.ts';
import { payPal } from '#providers/paypal/paypal.ts';
import { paystack } from '#providers/paystack/paystack.ts';
import { polar } from '#providers/polar/polar.ts';
import type {
  ConnectionSecrets,
  Delivery,
  Provider,
  ProviderEvent,
  VerifyRefusal,
} from '#providers/provider.ts';
import { razorpay } from '#providers/razorpay/razorpay.ts';
import { shopify } from '#providers/shopify/shopify.ts';
import { stripe } from '#providers/stripe/stripe.ts';
import { wooCommerce } from '#providers/woocommerce/woocommerce.ts';
import { makeCertificate } from './make-certificate.ts';
import type { Gaps } from './world.ts';

/** A provider, a connection to it, and what its events cannot say. */
export type Teller = {
  readonly provider: Provider;
  readonly currency: string;
  readonly secrets: ConnectionSecrets;
  readonly gaps: Gaps;
  /** How old a signed time may be, for providers that sign one. */
  readonly ageMaxMs?: number;
  /** The id of a sample’s payment and what stands before it, for providers whose ids are numbers. */
  readonly bigId?: RegExp;
  /** The body is not signed: a token is sent beside it. */
  readonly isBearer?: true;
  /** The headers of a signed delivery, where only the provider itself can sign. */
  readonly sign?: (body: string, secret: string, at: number) => Readonly<Record<string, string>>;
  readonly certificate?: string;
};

const FIVE_MINUTES = 300_000;

/** Where PayPal's certificate is, and one of the tests' own. */
export const PAYPAL_URL = 'https://api.paypal.com/v1/notifications/certs/CERT-1';
const PAYPAL = makeCertificate(
  'messageverificationcerts.paypal.com',
  new Date(Date.UTC(2026, 0)),
  new Date(Date.UTC(2027, 0)),
);

/** The headers that PayPal sends, signed with a key. */
export function signAsPayPal(key: KeyObject) {
  return (body: string, webhookId: string, at: number) => {
    const [id, time] = ['transmission-1', new Date(at).toISOString()];
    const message = Buffer.from(`${id}|${time}|${webhookId}|${crc32(body)}`);
    return {
      ...{ 'paypal-transmission-id': id, 'paypal-transmission-time': time },
      ...{ 'paypal-auth-algo': 'SHA256withRSA', 'paypal-cert-url': PAYPAL_URL },
      'paypal-transmission-sig': signBytes('RSA-SHA256', message, key).toString('base64'),
    };
  };
}

/** When all samples arrive. */
export const NOW = Date.UTC(2026, 11, 2, 12);

/** The id of the event that a connection is tested with. */
export const SAMPLE_ID = 'tributary_test_1';

/** How the tests' own system signs, and where in its events things are. */
const MAPPING = {
  ...{ header: 'X-Shop-Signature', algorithm: 'sha512', encoding: 'base64', prefix: 'v1=' },
  ...{ id_path: 'items[0].ref', amount_path: '$.items[0].gross', currency_path: 'cur' },
  ...{ state_path: 'event.name', paid_states: 'sold', refunded_states: 'back, given back' },
  ...{ refund_failed_states: 'back failed', disputed_states: 'claim', won_states: 'claim won' },
  ...{ lost_states: 'claim lost', refund_of_path: 'items[0].of', time_path: 'event.at' },
  ...{ visitor_path: 'who.visitor', email_path: 'who.mail', customer_path: 'who.no' },
  ...{ subscription_path: 'plan.id', renewal_path: 'plan.again', event_path: 'event.id' },
};

/** Every provider, with a connection. */
export const TELLERS: readonly Teller[] = [
  {
    ...{ provider: stripe, currency: 'EUR', ageMaxMs: FIVE_MINUTES, gaps: {} },
    secrets: secretsOf('whsec_stripe'),
  },
  {
    ...{ provider: paddle, currency: 'EUR', ageMaxMs: FIVE_MINUTES, gaps: {} },
    secrets: secretsOf('pdl_ntfset_test'),
  },
  {
    ...{ provider: lemonSqueezy, currency: 'EUR' },
    bigId: /("id":)"tributary_test_1"/,
    secrets: secretsOf('lemon secret', { store_id: '77' }),
    gaps: {
      trial: ['0.00 USD trial, carl', 'A trial names no currency: its nothing is in US dollars.'],
      won: ['30.00 new, emil', 'Lemon Squeezy tells nobody of disputes.'],
      lost: ['40.00 new, fay', 'Lemon Squeezy tells nobody of disputes.'],
    },
  },
  {
    ...{ provider: polar, currency: 'EUR', ageMaxMs: FIVE_MINUTES },
    secrets: secretsOf('whsec_polar'),
    gaps: {
      won: ['30.00 new, emil', 'Polar has no webhook for disputes: its list tells them.'],
      lost: ['40.00 new, fay', 'Polar has no webhook for disputes: its list tells them.'],
    },
  },
  {
    ...{ provider: creem, currency: 'EUR' },
    secrets: secretsOf('creem secret'),
    gaps: {
      won: ['30.00 new, emil, dispute open', 'Creem tells that a dispute began, not how it ended.'],
      lost: ['40.00 new, fay, dispute open', 'Creem tells that a dispute began, not how it ended.'],
    },
  },
  {
    ...{ provider: dodo, currency: 'EUR', ageMaxMs: FIVE_MINUTES, gaps: {} },
    secrets: secretsOf('whsec_ZG9kbyBwYXltZW50cw=='),
  },
  {
    ...{ provider: paystack, currency: 'ZAR' },
    bigId: /("id":)\d+/,
    secrets: secretsOf('sk_live_paystack'),
    gaps: {
      trial: [undefined, 'Paystack tells a trial by nothing but a subscription without a charge.'],
    },
  },
  {
    ...{ provider: razorpay, currency: 'EUR' },
    secrets: secretsOf('razorpay secret'),
    gaps: {
      trial: ['0.00 INR trial, carl', 'A trial names no currency: its nothing is in rupees.'],
    },
  },
  {
    ...{ provider: mollie, currency: 'EUR' },
    secrets: secretsOf('mollie secret'),
    gaps: {
      converted: [
        '9.00 renewal, carl',
        'The payment that begins a trial does not name the subscription that follows.',
      ],
    },
  },
  {
    ...{ provider: shopify, currency: 'EUR' },
    bigId: /("id":)"tributary_test_1"/,
    secrets: secretsOf('shopify secret', { shop: 'tea.myshopify.com' }),
    gaps: { trial: [undefined, 'Shopify knows no trials.'] },
  },
  {
    ...{ provider: wooCommerce, currency: 'EUR' },
    bigId: /("id":)"tributary_test_1"/,
    secrets: secretsOf('woo secret', { shop: 'https://shop.example/' }),
    gaps: {
      won: ['30.00 new, emil', 'WooCommerce knows nothing of disputes: its gateways do.'],
      lost: ['40.00 new, fay', 'WooCommerce knows nothing of disputes: its gateways do.'],
    },
  },
  {
    ...{ provider: payPal, currency: 'EUR', ageMaxMs: 4 * 86_400_000, gaps: {} },
    secrets: secretsOf('5GP028458E2496506'),
    ...{ sign: signAsPayPal(PAYPAL.key), certificate: PAYPAL.certificate },
  },
  {
    ...{ provider: gumroad, currency: 'USD' },
    secrets: secretsOf('long token in the address', { seller_id: 'seller==' }),
    gaps: {
      sale: ['49.00 new, anna', 'Gumroad does not tell of refunds of a part of the price.'],
      lost: [
        '40.00 new, fay, dispute open',
        'Gumroad tells that a dispute began, and if it was won.',
      ],
    },
  },
  {
    ...{ provider: generic, currency: 'EUR', gaps: {} },
    bigId: /("ref":)"tributary_test_1"/,
    secrets: secretsOf('any secret', MAPPING),
  },
  {
    ...{ provider: generic, currency: 'EUR', gaps: {}, isBearer: true },
    secrets: secretsOf('any_secret', { ...MAPPING, scheme: 'bearer', header: 'authorization' }),
  },
];

/** A delivery that a provider would send. */
type Sample = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly form?: Readonly<Record<string, string>>;
};

/** The provider's own telling of the world: its samples, signed. */
export function deliveriesOf(teller: Teller): Delivery[] {
  const path = `../../src/providers/${teller.provider.name}/samples.json`;
  const samples: readonly Sample[] = JSON.parse(
    readFileSync(new URL(path, import.meta.url), 'utf8'),
  );
  return samples.map(({ headers = {}, body, form }, index) => {
    const text = form === undefined ? JSON.stringify(body) : `${new URLSearchParams(form)}`;
    return sign(teller, text, headers, NOW, `event-${index}`);
  });
}

/** A signed delivery of a body. */
export function sign(
  { provider, secrets, ...teller }: Teller,
  text: string,
  headers: Readonly<Record<string, string>> = {},
  at = NOW,
  id = SAMPLE_ID,
): Delivery {
  const [secret = ''] = secrets.signingSecrets;
  const signed =
    teller.sign?.(text, secret, at) ??
    provider.signSample?.(text, secret, at, id, secrets.settings) ??
    {};
  return {
    headers: { ...signed, ...headers },
    body: Buffer.from(text),
    receivedAt: NOW,
    ...(provider.hasTokenInAddress ? { addressToken: secret } : {}),
  };
}

/** Why a delivery is refused. */
export function verify(teller: Teller, delivery: Delivery): VerifyRefusal | undefined {
  return teller.provider.verify(delivery, teller.secrets, teller.certificate);
}

/** The events in deliveries that are verified first. */
export function eventsOf(teller: Teller): ProviderEvent[] {
  return deliveriesOf(teller).map((delivery) => {
    const refusal = verify(teller, delivery);
    const event = teller.provider.readEvent(delivery, teller.secrets);
    if (refusal !== undefined || event === undefined) {
      throw new Error(`${teller.provider.name}: ${refusal ?? 'no event'}: ${delivery.body}`);
    }
    return event;
  });
}

function secretsOf(
  signingSecret: string,
  settings: Readonly<Record<string, string>> = {},
): ConnectionSecrets {
  return { signingSecrets: [signingSecret], apiKey: 'key', settings };
}
