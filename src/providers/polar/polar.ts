import { readStandardEvent } from '../deliveries.ts';
import { ADDRESS, type Provider } from '../provider.ts';
import { polarBackfill } from './backfill.ts';
import { translatePolar } from './translate.ts';
import { signPolar, verifyPolar } from './verify.ts';

/** Polar. */
export const polar: Provider = {
  name: 'polar',
  title: 'Polar',
  fields: [
    {
      name: 'signing_secret',
      label: 'Webhook secret',
      hint: 'Settings → Webhooks → your endpoint → Secret.',
      ...{ isSecret: true, isRequired: true },
      example: 'whsec_…',
    },
    {
      name: 'api_key',
      label: 'Organization access token',
      hint: 'Settings → Developers → New token, with the scopes orders:read, refunds:read, subscriptions:read and disputes:read.',
      ...{ isSecret: true, isRequired: false },
      ...{ pattern: /^polar_oat_\S+$/, example: 'polar_oat_…' },
    },
  ],
  steps: [
    {
      title: 'Add the endpoint',
      text: 'In Polar, open Settings → Webhooks and click Add Endpoint. Paste the address above, choose the format Raw, and select the events below.',
      ...{ way: ['Settings', 'Webhooks', 'Add Endpoint'], form: { URL: ADDRESS, Format: 'Raw' } },
    },
    {
      title: 'Paste its secret',
      text: 'Let Polar generate a secret, copy it, and paste it here. Then save the endpoint.',
      ...{ way: ['Settings', 'Webhooks', 'your endpoint'], form: { Secret: 'whsec_…' } },
    },
    {
      title: 'Carry the visitor id',
      text: 'Pass metadata when your server creates the checkout. Polar copies it to the order, the subscription and its renewals. A checkout link carries it as ?reference_id=….',
    },
  ],
  eventTypes: [
    ...['order.paid', 'order.refunded', 'refund.created', 'refund.updated'],
    ...['subscription.created', 'checkout.updated'],
  ],
  visitorLine: 'metadata: { service_visitor_id: cookies.service_visitor_id },',
  verify: (delivery, { signingSecrets }) => verifyPolar(delivery, signingSecrets),
  readEvent: readStandardEvent,
  translate: translatePolar,
  makeSample: (id, at) => {
    const time = new Date(at).toISOString();
    return JSON.stringify({
      ...{ type: 'order.paid', timestamp: time },
      data: {
        ...{ id, status: 'paid', billing_reason: 'purchase', created_at: time },
        ...{ total_amount: 4900, currency: 'usd' },
        metadata: { service_visitor_id: 'test-visitor' },
      },
    });
  },
  signSample: signPolar,
  backfill: polarBackfill,
};
