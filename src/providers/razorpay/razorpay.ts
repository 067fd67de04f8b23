import { digestOf, readJsonBody } from '../deliveries.ts';
import { textAt } from '../json.ts';
import { ADDRESS, type Provider } from '../provider.ts';
import { razorpayBackfill } from './backfill.ts';
import { translateRazorpay } from './translate.ts';
import { razorpaySignature } from './verify.ts';

const EVENT_ID = 'x-razorpay-event-id';

/** Razorpay. */
export const razorpay: Provider = {
  name: 'razorpay',
  title: 'Razorpay',
  fields: [
    {
      name: 'signing_secret',
      label: 'Webhook secret',
      hint: 'You choose it when you create the webhook.',
      ...{ isSecret: true, isRequired: true },
    },
    {
      name: 'api_key',
      label: 'API key: id and secret',
      hint: 'Account & Settings → API Keys → Generate Key. Write the key id, a colon, and the key secret.',
      ...{ isSecret: true, isRequired: false },
      ...{ pattern: /^rzp_(?:live|test)_\w+:\w+$/, example: 'rzp_live_…:…' },
    },
  ],
  steps: [
    {
      title: 'Add the webhook',
      text: 'In Razorpay, open Account & Settings → Webhooks and click Add New Webhook. Paste the address above as the Webhook URL and select the events below.',
      way: ['Account & Settings', 'Webhooks', 'Add New Webhook'],
      form: { 'Webhook URL': ADDRESS },
    },
    {
      title: 'Choose a secret',
      text: 'Type a long random text as the Secret, and paste the same text here. Then save the webhook.',
      ...{ way: ['Account & Settings', 'Webhooks'], form: { Secret: 'a long random text' } },
    },
    {
      title: 'Carry the visitor id',
      text: 'Pass notes when your server creates the order, and again for a subscription. Razorpay repeats the notes of a subscription with each charge.',
    },
  ],
  eventTypes: [
    ...['payment.captured', 'order.paid', 'invoice.paid', 'subscription.authenticated'],
    ...['subscription.charged', 'refund.processed', 'refund.failed', 'payment.dispute.created'],
    ...['payment.dispute.won', 'payment.dispute.lost', 'payment.dispute.closed'],
  ],
  visitorLine: 'notes: { service_visitor_id: cookies.service_visitor_id },',
  verify: (delivery, { signingSecrets }) => razorpaySignature.verify(delivery, signingSecrets),
  readEvent: (delivery) => {
    const body = readJsonBody(delivery);
    const type = textAt(body, 'event');
    if (body === undefined || type === undefined) return undefined;
    const id = delivery.headers[EVENT_ID] || digestOf(delivery);
    // Test mode has webhooks of its own, and does not say so in its events.
    return { id, type, isTest: false, receivedAt: delivery.receivedAt, body };
  },
  translate: translateRazorpay,
  makeSample: (id, at) => {
    const created = Math.floor(at / 1_000);
    const payment = { id: `pay_${id}`, amount: 49_900, currency: 'INR', status: 'captured' };
    const notes = { service_visitor_id: 'test-visitor' };
    return JSON.stringify({
      ...{ entity: 'event', event: 'payment.captured', contains: ['payment'], created_at: created },
      payload: { payment: { entity: { ...payment, notes, created_at: created } } },
    });
  },
  signSample: (body, secret, _at, id) => ({
    ...razorpaySignature.sign(body, secret),
    [EVENT_ID]: id,
  }),
  backfill: razorpayBackfill,
};
