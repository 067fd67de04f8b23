import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readMinor } from '#providers/amounts.ts';
import type { Translation } from '#providers/facts.ts';
import type { JsonObject, JsonValue } from '#providers/json.ts';
import { findProvider, PROVIDERS } from '#providers/known/providers.ts';
import type { BackfillPage, ConnectionSecrets, Provider } from '#providers/provider.ts';
import { rateBetween, readRate } from '#providers/rates.ts';
import { chargeObject } from './stripe-world.ts';
import { eventsOf, NOW, TELLERS, type Teller } from './tellers.ts';

const SINCE = Date.UTC(2026, 9, 31);
const MONEY = { amount_paid: 900, currency: 'EUR', created_at: NOW };

function provider(name: string): Provider {
  const found = findProvider(name);
  assert.ok(found, name);
  return found;
}

function translate(name: string, type: string, body: JsonObject): Translation {
  return provider(name).translate({ id: 'e', type, isTest: false, receivedAt: NOW, body }, {});
}

function read(name: string, list: string, answer: JsonValue) {
  const page: BackfillPage = { list, since: SINCE, until: NOW };
  return provider(name).backfill?.read(page, answer).translations ?? [];
}

function secrets(settings: Readonly<Record<string, string>>, apiKey?: string): ConnectionSecrets {
  return { signingSecrets: ['secret'], settings, ...(apiKey === undefined ? {} : { apiKey }) };
}

describe('an event that only names its money', () => {
  it('is completed by Creem’s list of transactions', () => {
    const object = { id: 'sub_1', last_transaction_id: 'tran_1', customer: { id: 'cust_1' } };
    const wanted = translate('creem', 'subscription.paid', { object });
    assert.ok(wanted.kind === 'fetch');
    assert.equal(wanted.path, '/v1/transactions?transaction_id=tran_1');
    assert.match(wanted.without, /API key/);
    const answer = { id: 'tran_1', status: 'paid', subscription: 'sub_1', ...MONEY };
    for (const form of [answer, { items: [answer] }]) {
      const [found] = read('creem', wanted.list, form);
      assert.ok(found?.kind === 'facts');
      assert.deepEqual(found.facts, [
        {
          ...{ fact: 'payment', id: 'tran_1', amount: { minor: 900n, currency: 'EUR' } },
          ...{ paidAt: NOW, recurring: 'unless_first', subscriptionId: 'sub_1' },
        },
      ]);
    }
  });

  it('is completed by Mollie’s payment, and by nothing for a refund', () => {
    const event = { resource: 'event', id: 'event_1', entityId: 'tr_1' };
    const wanted = translate('mollie', 'payment.paid', { ...event, type: 'payment.paid' });
    assert.ok(wanted.kind === 'fetch');
    assert.equal(wanted.path, '/v2/payments/tr_1');
    const amount = { currency: 'EUR', value: '9.00' };
    const payment = { resource: 'payment', id: 'tr_1', status: 'paid', amount };
    const [found] = read('mollie', wanted.list, { ...payment, paidAt: '2026-11-01T10:00:00Z' });
    assert.equal(found?.kind, 'facts');
    const refund = translate('mollie', 'refund.refunded', { ...event, entityId: 're_1' });
    assert.ok(refund.kind === 'failed' && /snapshot/.test(refund.why));
  });
});

describe('a checkout of Creem', () => {
  const checkout = (basket: JsonObject, more: JsonObject = {}) =>
    translate('creem', 'checkout.completed', {
      object: { id: 'ch_1', order: { id: 'ord_1', status: 'paid', ...basket }, ...more },
    });
  const money = { created_at: '2026-11-01T10:00:00Z', currency: 'EUR', amount: 1_000 };

  it('is what was paid with tax, if that can be known', () => {
    const amountOf = (translation: Translation) =>
      translation.kind === 'facts' && translation.facts[0]?.fact === 'payment'
        ? translation.facts[0].amount.minor
        : translation.kind;
    const sale = { ...money, type: 'onetime', transaction: 'tran_1' };
    assert.equal(amountOf(checkout({ ...sale, amount_paid: 1_210 })), 1_210n);
    assert.equal(amountOf(checkout({ ...sale, tax_amount: 210 })), 1_210n);
    const inclusive = { product: { tax_mode: 'inclusive' } };
    assert.equal(amountOf(checkout(sale, inclusive)), 1_000n);
    assert.equal(amountOf(checkout(sale, { product: { tax_mode: 'exclusive' } })), 'fetch');
  });

  it('of a subscription counts once, although its charge comes without its order', () => {
    const begun = checkout(
      { ...money, type: 'recurring', amount_paid: 1_000 },
      { subscription: { id: 'sub_1' }, metadata: { service_visitor_id: 'dora' } },
    );
    assert.deepEqual(begun, {
      kind: 'facts',
      facts: [{ fact: 'link', visitorId: 'dora', subscriptionId: 'sub_1' }],
    });
  });
});

describe('what nobody knows yet', () => {
  const cases: readonly [string, string, JsonObject, Translation['kind']][] = [
    ['polar', 'refund.updated', { data: { id: 'r', status: 'thinking' } }, 'ignored'],
    ['creem', 'refund.created', { object: { id: 'r', status: 'thinking' } }, 'ignored'],
    ['dodo', 'dispute.pondered', { data: { dispute_id: 'd', payment_id: 'p' } }, 'unknown'],
    ['shopify', 'disputes/update', { id: 1, order_id: 2, status: 'pondered' }, 'unknown'],
    ['mollie', 'refund.pondered', { resource: 'refund', id: 're_1' }, 'ignored'],
    ['paddle', 'adjustment.created', { data: { action: 'gift', status: 'approved' } }, 'ignored'],
    ['lemonsqueezy', 'order_created', { data: { type: 'orders', attributes: {} } }, 'ignored'],
    ['gumroad', 'gift', { sale_id: '1' }, 'unknown'],
    ['woocommerce', 'order.updated', { id: 1, status: 'packed' }, 'ignored'],
  ];
  for (const [name, type, body, kind] of cases) {
    it(`of ${name}, ${type} is ${kind}`, () => {
      assert.equal(translate(name, type, body).kind, kind);
    });
  }
});

describe('deliveries of WooCommerce in the same second', () => {
  it('are events of their own, though they share an id', () => {
    const idOf = (body: string) => {
      const headers = { 'x-wc-webhook-topic': 'order.updated', 'x-wc-webhook-delivery-id': 'd' };
      const delivery = { headers, body: Buffer.from(body), receivedAt: NOW };
      return provider('woocommerce').readEvent(delivery, secrets({}))?.id;
    };
    assert.notEqual(idOf('{"id":1}'), idOf('{"id":2}'));
    assert.equal(idOf('{"id":1}'), idOf('{"id":1}'));
  });
});

describe('a subscription of Polar that begins with 0', () => {
  const begin = (more: JsonObject) =>
    translate('polar', 'order.paid', {
      data: {
        ...{ id: 'o', billing_reason: 'subscription_create', total_amount: 0, currency: 'eur' },
        ...{ created_at: '2026-11-01T10:00:00Z', subscription_id: 's', ...more },
      },
    }).kind;

  it('is a trial if it has one, and a free plan if not', () => {
    assert.equal(begin({}), 'facts');
    assert.equal(begin({ subscription: { trial_end: '2026-11-15T10:00:00Z' } }), 'facts');
    assert.equal(begin({ subscription: { trial_end: null } }), 'ignored');
  });
});

describe('a first call without a signature', () => {
  const { isPing } = provider('woocommerce');
  const ping = (body: string, headers = {}) =>
    isPing?.({ headers, body: Buffer.from(body), receivedAt: NOW });

  it('is known as WooCommerce’s check of a new address, and nothing else is', () => {
    assert.equal(ping('webhook_id=12'), true);
    assert.equal(ping('webhook_id=12&status=completed'), false);
    assert.equal(ping('webhook_id=12', { 'x-wc-webhook-signature': 'x' }), false);
    assert.equal(ping('{"id":1}'), false);
    assert.equal(ping(`webhook_id=${'1'.repeat(1_000_000)}`), false);
    const others = PROVIDERS.filter(({ isPing: found }) => found !== undefined);
    assert.deepEqual(
      others.map(({ name }) => name),
      ['woocommerce'],
    );
  });
});

describe('test mode', () => {
  const cases: readonly [string, JsonObject, Record<string, string>, boolean][] = [
    ['lemonsqueezy', { meta: { event_name: 'x', test_mode: true } }, {}, true],
    ['lemonsqueezy', { meta: { event_name: 'x' }, data: { attributes: {} } }, {}, false],
    ['creem', { id: 'e', eventType: 'x', object: { mode: 'test' } }, {}, true],
    ['creem', { id: 'e', eventType: 'x', object: { mode: 'prod' } }, {}, false],
    ['paystack', { event: 'x', data: { domain: 'test' } }, {}, true],
    ['paystack', { event: 'x', data: { domain: 'live' } }, {}, false],
    ['mollie', { resource: 'payment', status: 'paid', mode: 'test' }, {}, true],
    ['mollie', { resource: 'payment', status: 'paid', mode: 'live' }, {}, false],
    ['shopify', { test: true }, { 'x-shopify-topic': 'orders/paid' }, true],
    ['shopify', { test: false }, { 'x-shopify-topic': 'orders/paid' }, false],
    [
      ...(['paypal', { id: 'e', event_type: 'x' }] as const),
      { 'paypal-cert-url': 'https://api.sandbox.paypal.com/v1/notifications/certs/C' },
      true,
    ],
  ];
  for (const [name, body, headers, isTest] of cases) {
    it(`of ${name} is ${isTest ? '' : 'not '}seen in ${JSON.stringify({ ...body, ...headers })}`, () => {
      const delivery = { headers, body: Buffer.from(JSON.stringify(body)), receivedAt: NOW };
      assert.equal(provider(name).readEvent(delivery, secrets({}))?.isTest, isTest);
    });
  }
});

describe('the list API of', () => {
  const page = (list: string): BackfillPage => ({ list, since: SINCE, until: NOW });
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  const cases: readonly [string, string, Record<string, string>][] = [
    ['paddle', 'key', { authorization: 'Bearer key' }],
    ['lemonsqueezy', 'key', { authorization: 'Bearer key', accept: 'application/vnd.api+json' }],
    ['polar', 'key', { authorization: 'Bearer key' }],
    ['creem', 'key', { 'x-api-key': 'key' }],
    ['dodo', 'key', { authorization: 'Bearer key' }],
    ['razorpay', 'rzp_live_1:s', { authorization: basic('rzp_live_1:s') }],
    ['paystack', 'key', { authorization: 'Bearer key' }],
    ['mollie', 'key', { authorization: 'Bearer key' }],
    ['shopify', 'key', { 'x-shopify-access-token': 'key', 'content-type': 'application/json' }],
    ['woocommerce', 'ck_1:cs_1', { authorization: basic('ck_1:cs_1') }],
    ['paypal', 'key', { authorization: 'Bearer key' }],
    ['gumroad', 'key', { authorization: 'Bearer key' }],
  ];
  for (const [name, key, headers] of cases) {
    it(`${name} is asked with the key in its place`, () => {
      const { backfill } = provider(name);
      const [list = ''] = backfill?.lists ?? [];
      assert.deepEqual(backfill?.request(page(list), secrets({}, key)).headers, headers);
    });
  }

  const bases: readonly [string, Record<string, string>, string, string | undefined][] = [
    ['paddle', {}, 'pdl_live_apikey_1', 'https://api.paddle.com'],
    ['paddle', {}, 'pdl_sdbx_apikey_1', 'https://sandbox-api.paddle.com'],
    ['creem', {}, 'creem_test_1', 'https://test-api.creem.io'],
    ['paypal', { mode: 'sandbox' }, 'key', 'https://api-m.sandbox.paypal.com'],
    ['shopify', { shop: 'tea.myshopify.com' }, 'key', 'https://tea.myshopify.com'],
    ['shopify', { shop: 'tea.myshopify.com.example' }, 'key', undefined],
    ['shopify', { shop: 'example/.myshopify.com' }, 'key', undefined],
    ['shopify', {}, 'key', undefined],
    ['woocommerce', { shop: 'https://shop.example/tea/' }, 'key', 'https://shop.example/tea'],
    ['woocommerce', { shop: 'http://shop.example' }, 'key', undefined],
    ['woocommerce', { shop: 'https://a@shop.example' }, 'key', undefined],
  ];
  for (const [name, settings, key, url] of bases) {
    it(`${name} with ${JSON.stringify({ ...settings, key })} is at ${url}`, () => {
      assert.equal(provider(name).backfill?.findBaseUrl(secrets(settings, key)), url);
    });
  }

  it('Shopify is asked for a token where the app has no lasting one', () => {
    const { backfill } = provider('shopify');
    const login = backfill?.login?.(secrets({ client_id: 'app' }));
    assert.equal(login?.path, '/admin/oauth/access_token');
    assert.equal(login.body, 'grant_type=client_credentials&client_id=app&client_secret=secret');
    assert.equal(backfill?.login?.(secrets({ client_id: 'app' }, 'shpat_1')), undefined);
  });

  it('Shopify says what is wrong, with 200', () => {
    const [fault] = read('shopify', 'orders', { errors: [{ message: 'Throttled' }] });
    assert.deepEqual(fault, { kind: 'failed', why: 'Shopify answers: Throttled' });
  });

  it('PayPal is asked for a token first', () => {
    const login = provider('paypal').backfill?.login?.(secrets({ client_id: 'app' }, 'key'));
    assert.equal(login?.path, '/v1/oauth2/token');
    assert.equal(login.headers.authorization, basic('app:key'));
  });
});

describe('the rate at which a provider converted a payment', () => {
  const ratesOf = (translation: Translation) =>
    translation.kind === 'facts'
      ? translation.facts.flatMap((fact) => (fact.fact === 'payment' ? (fact.rate ?? []) : []))
      : [];
  /** Of the provider's sample of this type. */
  const ofSample = (name: string, type: string, change = (_resource: JsonObject) => {}) => {
    const events = eventsOf(TELLERS.find((teller) => teller.provider.name === name) as Teller);
    const event = structuredClone(events.find((each) => each.type === type));
    assert.ok(event);
    change((event.body as { resource: JsonObject }).resource);
    return ratesOf(provider(name).translate(event, {}));
  };

  it('is stated by Paddle, Lemon Squeezy and PayPal', () => {
    assert.deepEqual(ofSample('paddle', 'transaction.completed'), [{ to: 'USD', rate: '1.1642' }]);
    assert.deepEqual(ofSample('lemonsqueezy', 'order_created'), [
      { to: 'USD', rate: '1.16420000' },
    ]);
    const exchange = { source_currency: 'EUR', target_currency: 'GBP', value: '0.8612' };
    const rates = ofSample('paypal', 'PAYMENT.CAPTURE.COMPLETED', (capture) =>
      Object.assign(capture, { seller_receivable_breakdown: { exchange_rate: exchange } }),
    );
    assert.deepEqual(rates, [{ to: 'GBP', rate: '0.8612' }]);
    assert.deepEqual(ofSample('paypal', 'PAYMENT.CAPTURE.COMPLETED'), []);
  });

  it('is that between two amounts at Stripe, Dodo Payments and Razorpay', () => {
    const balance = (amount: number, currency: string) =>
      chargeObject('a', Math.floor(NOW / 1_000), {
        balance_transaction: { amount, currency },
      }) as JsonObject;
    const charges = {
      object: 'list',
      data: [balance(3_134, 'usd'), balance(2_900, 'eur'), balance(490_123, 'jpy')],
    };
    assert.deepEqual(read('stripe', 'charges', charges).flatMap(ratesOf), [
      { to: 'USD', rate: '1.080689655172' },
      { to: 'JPY', rate: '16900.793103448276' },
    ]);
    const named = chargeObject('a', Math.floor(NOW / 1_000), {
      balance_transaction: 'txn_1',
    }) as JsonObject;
    assert.deepEqual(
      read('stripe', 'charges', { object: 'list', data: [named] }).flatMap(ratesOf),
      [],
    );
    assert.deepEqual(ofSample('dodo', 'payment.succeeded'), [
      { to: 'USD', rate: '1.000000000000' },
    ]);
    assert.deepEqual(ofSample('razorpay', 'payment.captured'), [
      { to: 'INR', rate: '90.000000000000' },
    ]);
  });

  it('is none if it is no number above 0, or leads nowhere', () => {
    const asked = readMinor(4_900, 'EUR');
    const rates = [
      ['USD', '0'],
      ['USD', '-1.1'],
      ['USD', '1e3'],
      ['USD', ''],
      ['EUR', '1'],
      ['XXQ', '2'],
    ] as const;
    assert.deepEqual(
      rates.map(([to, rate]) => readRate(asked, to, rate)),
      rates.map(() => undefined),
    );
    assert.equal(rateBetween(readMinor(0, 'EUR'), readMinor(1, 'USD')), undefined);
    assert.equal(rateBetween(asked, readMinor(0, 'USD')), undefined);
  });
});
