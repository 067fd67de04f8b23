import { readStandardEvent } from '../deliveries.ts';
import { ADDRESS, type Provider } from '../provider.ts';
import { dodoBackfill } from './backfill.ts';
import { translateDodo } from './translate.ts';
import { signDodo, verifyDodo } from './verify.ts';

/** Dodo Payments. */
export const dodo: Provider = {
  name: 'dodo',
  title: 'Dodo Payments',
  fields: [
    {
      name: 'signing_secret',
      label: 'Signing secret',
      hint: 'Developer → Webhooks → your endpoint → Signing Secret.',
      ...{ isSecret: true, isRequired: true },
      ...{ pattern: /^whsec_[A-Za-z0-9+/=]+$/, example: 'whsec_…' },
    },
    {
      name: 'api_key',
      label: 'API key',
      hint: 'Developer → API Keys → Add API Key. Reading is all that is needed.',
      ...{ isSecret: true, isRequired: false },
    },
  ],
  steps: [
    {
      title: 'Add the webhook',
      text: 'In Dodo Payments, open Developer → Webhooks and click Add Webhook. Paste the address above and select the events below.',
      ...{ way: ['Developer', 'Webhooks', 'Add Webhook'], form: { URL: ADDRESS } },
    },
    {
      title: 'Paste its signing secret',
      text: 'Open the new endpoint, reveal its Signing Secret, and paste it here.',
      ...{ way: ['Developer', 'Webhooks', 'your endpoint'], form: { 'Signing Secret': 'whsec_…' } },
    },
    {
      title: 'Carry the visitor id',
      text: 'Pass metadata when your server creates the checkout session. Dodo Payments copies it to the payment and the subscription.',
    },
  ],
  eventTypes: [
    ...['payment.succeeded', 'refund.succeeded', 'refund.failed', 'dispute.opened'],
    ...['dispute.challenged', 'dispute.won', 'dispute.lost', 'dispute.cancelled'],
    ...['dispute.accepted', 'dispute.expired', 'subscription.active', 'subscription.renewed'],
  ],
  visitorLine: 'metadata: { service_visitor_id: cookies.service_visitor_id },',
  verify: (delivery, { signingSecrets }) => verifyDodo(delivery, signingSecrets),
  readEvent: readStandardEvent,
  translate: translateDodo,
  makeSample: (id, at) => {
    const time = new Date(at).toISOString();
    return JSON.stringify({
      ...{ business_id: 'bus_test', type: 'payment.succeeded', timestamp: time },
      data: {
        ...{ payload_type: 'Payment', payment_id: id, created_at: time },
        ...{ total_amount: 4900, currency: 'USD', customer: { email: 'test@example.com' } },
        metadata: { service_visitor_id: 'test-visitor' },
      },
    });
  },
  signSample: signDodo,
  backfill: dodoBackfill,
};
