import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Paddle } from '@paddle/paddle-node-sdk';
import { DodoPayments } from 'dodopayments';
import Razorpay from 'razorpay';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { verifyCreem } from '#providers/creem/verify.ts';
import { signDodo, verifyDodo } from '#providers/dodo/verify.ts';
import { paddleSignature } from '#providers/paddle/verify.ts';
import { signPolar, verifyPolar } from '#providers/polar/verify.ts';
import { razorpaySignature } from '#providers/razorpay/verify.ts';
import { stripeSignature } from '#providers/stripe/verify.ts';

const BODY = '{"event_id":"e-1","name":"Zoë €","amount":1.10}\n';

/** A delivery with these headers that arrives at a time. */
function delivery(
  headers: Readonly<Record<string, string>>,
  body: string,
  receivedAt = Date.now(),
) {
  return { headers, body: Buffer.from(body), receivedAt };
}

describe('Paddle’s own verifier', () => {
  const { webhooks } = new Paddle('key');

  it('takes what we sign', async () => {
    const header = paddleSignature.sign(BODY, 'pdl_ntfset_s', Date.now())['paddle-signature'] ?? '';
    assert.equal(await webhooks.isSignatureValid(BODY, 'pdl_ntfset_s', header), true);
    assert.equal(await webhooks.isSignatureValid(BODY, 'pdl_ntfset_t', header), false);
  });

  it('publishes a signature that we take', () => {
    const header =
      'ts=1698796800;h1=a300428748dce5c70e4da19bffd60769591ea969c99dea3105d0ec9612cf43f9';
    const published = (value: string) =>
      paddleSignature.verify(
        delivery({ 'paddle-signature': value }, '{"data": ["1", "2"]}', 1_698_796_800_000),
        ['OLD_SECRET', 'VALID_SECRET'],
      );
    assert.equal(published(header), undefined);
    // While a secret is rotated, either may come first.
    assert.equal(published(`${header};h1=${'0'.repeat(64)}`), undefined);
    assert.equal(published(header.replace('h1=', `h1=${'0'.repeat(64)};h1=`)), undefined);
    assert.equal(published(header.replace('h1=', 'h0=')), 'forged');
  });
});

describe('Standard Webhooks’ own library', () => {
  const ENCODED = 'whsec_ZG9kbyBwYXltZW50cw==';
  const oracles = [
    ['Polar', 'whsec_polar', new Webhook('whsec_polar', { format: 'raw' }), signPolar, verifyPolar],
    ['Creem', ENCODED, new Webhook(ENCODED), signDodo, verifyCreem],
    ['Dodo Payments', ENCODED, new Webhook(ENCODED), signDodo, verifyDodo],
  ] as const;
  for (const [title, secret, oracle, signOurs, verifyOurs] of oracles) {
    it(`takes what we sign for ${title}`, () => {
      const headers = signOurs(BODY, secret, Date.now(), 'msg_1');
      assert.deepEqual(oracle.verify(BODY, { ...headers }), JSON.parse(BODY));
      assert.throws(() => oracle.verify(`${BODY} `, { ...headers }));
    });

    it(`signs what we take for ${title}, beside older signatures too`, () => {
      const now = new Date();
      const headers = {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
        'webhook-signature': oracle.sign('msg_1', now, BODY),
      };
      assert.equal(verifyOurs(delivery(headers, BODY), [secret]), undefined);
      const both = `v1,bm90aGluZw== v2,x ${headers['webhook-signature']}`;
      const rolling = delivery({ ...headers, 'webhook-signature': both }, BODY);
      assert.equal(verifyOurs(rolling, ['whsec_b3RoZXI=', secret]), undefined);
      assert.equal(verifyOurs(rolling, ['whsec_b3RoZXI=']), 'forged');
      const other = delivery({ ...headers, 'webhook-id': 'msg_2' }, BODY);
      assert.equal(verifyOurs(other, [secret]), 'forged');
    });
  }

  it('signs by the standard what Polar may sign by it one day', () => {
    const now = new Date();
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': new Webhook(ENCODED).sign('msg_1', now, BODY),
    };
    assert.equal(verifyPolar(delivery(headers, BODY), [ENCODED]), undefined);
  });
});

describe('Dodo Payments’ own client', () => {
  it('unwraps what we sign', () => {
    const key = 'whsec_ZG9kbyBwYXltZW50cw==';
    const client = new DodoPayments({ bearerToken: 'token' });
    const headers = { ...signDodo(BODY, key, Date.now(), 'msg_1') };
    assert.deepEqual(client.webhooks.unwrap(BODY, { headers, key }), JSON.parse(BODY));
    assert.throws(() => client.webhooks.unwrap(`${BODY} `, { headers, key }));
  });
});

describe('Razorpay’s own verifier', () => {
  it('takes what we sign', () => {
    const header = razorpaySignature.sign(BODY, 'secret')['x-razorpay-signature'] ?? '';
    assert.equal(Razorpay.validateWebhookSignature(BODY, header, 'secret'), true);
    assert.equal(Razorpay.validateWebhookSignature(`${BODY} `, header, 'secret'), false);
  });
});

describe('Stripe’s own library', () => {
  const { webhooks } = new Stripe('sk_test_of_nobody');

  it('takes what we sign', () => {
    const header = stripeSignature.sign(BODY, 'whsec_s', Date.now())['stripe-signature'] ?? '';
    assert.equal(webhooks.constructEvent(BODY, header, 'whsec_s').object, undefined);
    assert.throws(() => webhooks.constructEvent(`${BODY} `, header, 'whsec_s'));
  });

  it('signs what we take', () => {
    const header = webhooks.generateTestHeaderString({ payload: BODY, secret: 'whsec_s' });
    const signed = delivery({ 'stripe-signature': header }, BODY);
    assert.equal(stripeSignature.verify(signed, ['whsec_newer', 'whsec_s']), undefined);
    assert.equal(stripeSignature.verify(signed, ['whsec_t']), 'forged');
  });
});
