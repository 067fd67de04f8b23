import { digestOf, readJsonBody } from '../deliveries.ts';
import { objectAt, textAt } from '../json.ts';
import { ADDRESS, type Provider } from '../provider.ts';
import { lemonSqueezyBackfill } from './backfill.ts';
import { translateLemonSqueezy } from './translate.ts';
import { lemonSqueezySignature } from './verify.ts';

/** Lemon Squeezy. */
export const lemonSqueezy: Provider = {
  name: 'lemonsqueezy',
  title: 'Lemon Squeezy',
  fields: [
    {
      name: 'signing_secret',
      label: 'Signing secret',
      hint: 'You choose it when you create the webhook: 6 to 40 characters.',
      ...{ isSecret: true, isRequired: true },
      pattern: /^.{6,40}$/,
    },
    {
      name: 'api_key',
      label: 'API key',
      hint: 'Settings → API → New API key.',
      ...{ isSecret: true, isRequired: false },
    },
    {
      name: 'store_id',
      label: 'Store ID',
      hint: 'Settings → Stores: the number after “#”. Only needed if your account has several stores.',
      ...{ isSecret: false, isRequired: false },
      ...{ pattern: /^\d+$/, example: '12345' },
    },
  ],
  steps: [
    {
      title: 'Create the webhook',
      text: 'In Lemon Squeezy, open Settings → Webhooks and click the plus sign. Paste the address above as the callback URL and select the events below.',
      ...{ way: ['Settings', 'Webhooks', 'plus sign'], form: { 'Callback URL': ADDRESS } },
    },
    {
      title: 'Choose a signing secret',
      text: 'Type a long random text as the signing secret, and paste the same text here. Then save the webhook.',
      ...{ way: ['Settings', 'Webhooks'], form: { 'Signing secret': 'a long random text' } },
    },
    {
      title: 'Carry the visitor id',
      text: 'Pass checkout_data.custom when your server creates the checkout, or add ?checkout[custom][service_visitor_id]=… to a checkout link. Lemon Squeezy repeats it in all later events.',
    },
  ],
  eventTypes: [
    ...['order_created', 'order_refunded', 'subscription_created'],
    ...['subscription_payment_success', 'subscription_payment_refunded'],
  ],
  visitorLine: 'checkout_data: { custom: { service_visitor_id: cookies.service_visitor_id } },',
  verify: (delivery, { signingSecrets }) => lemonSqueezySignature.verify(delivery, signingSecrets),
  readEvent: (delivery) => {
    const body = readJsonBody(delivery);
    const type = textAt(body, 'meta', 'event_name');
    if (body === undefined || type === undefined) return undefined;
    const attributes = objectAt(body, 'data', 'attributes');
    const isTest = objectAt(body, 'meta')?.test_mode === true;
    return {
      // Events have no ids. A repeated delivery has the same body.
      ...{ id: digestOf(delivery), type, receivedAt: delivery.receivedAt, body },
      isTest: isTest || attributes?.test_mode === true,
    };
  },
  translate: translateLemonSqueezy,
  makeSample: (id, at) => {
    const time = new Date(at).toISOString();
    return JSON.stringify({
      meta: {
        ...{ event_name: 'order_created', test_mode: true },
        custom_data: { service_visitor_id: 'test-visitor' },
      },
      data: {
        ...{ type: 'orders', id },
        attributes: { status: 'paid', total: 4900, currency: 'USD', created_at: time },
      },
    });
  },
  signSample: lemonSqueezySignature.sign,
  backfill: lemonSqueezyBackfill,
};
