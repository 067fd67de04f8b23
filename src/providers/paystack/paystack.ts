import { digestOf, readJsonBody } from '../deliveries.ts';
import { textAt } from '../json.ts';
import { ADDRESS, type Provider } from '../provider.ts';
import { paystackBackfill } from './backfill.ts';
import { translatePaystack } from './translate.ts';
import { paystackSignature } from './verify.ts';

/** Paystack. */
export const paystack: Provider = {
  name: 'paystack',
  title: 'Paystack',
  fields: [
    {
      name: 'signing_secret',
      label: 'Secret key',
      hint: 'Settings → API Keys & Webhooks → Live Secret Key. Paystack signs with it, and history is read with it.',
      ...{ isSecret: true, isRequired: true },
      ...{ pattern: /^sk_(?:live|test)_\S+$/, example: 'sk_live_…' },
    },
  ],
  steps: [
    {
      title: 'Set the webhook address',
      text: 'In Paystack, open Settings → API Keys & Webhooks and paste the address above as the Live Webhook URL. Paystack sends all its events there.',
      ...{ way: ['Settings', 'API Keys & Webhooks'], form: { 'Live Webhook URL': ADDRESS } },
    },
    {
      title: 'Paste the secret key',
      text: 'Copy the Live Secret Key from the same page and paste it here. If you generate a new one later, paste that one too.',
      ...{ way: ['Settings', 'API Keys & Webhooks'], form: { 'Live Secret Key': 'sk_live_…' } },
    },
    {
      title: 'Carry the visitor id',
      text: 'Pass metadata when your server initializes the transaction. Renewals carry none: they are found by their customer.',
    },
  ],
  eventTypes: [],
  visitorLine: 'metadata: { service_visitor_id: cookies.service_visitor_id },',
  verify: (delivery, { signingSecrets }) => paystackSignature.verify(delivery, signingSecrets),
  readEvent: (delivery) => {
    const body = readJsonBody(delivery);
    const type = textAt(body, 'event');
    if (body === undefined || type === undefined) return undefined;
    return {
      // Events have no ids. A repeated delivery has the same body.
      ...{ id: digestOf(delivery), type, receivedAt: delivery.receivedAt, body },
      isTest: textAt(body, 'data', 'domain') === 'test',
    };
  },
  translate: translatePaystack,
  makeSample: (id, at) => {
    const time = new Date(at).toISOString();
    const metadata = { service_visitor_id: 'test-visitor' };
    return JSON.stringify({
      event: 'charge.success',
      data: {
        ...{ id: at, domain: 'test', status: 'success', reference: id, paid_at: time },
        ...{ amount: 490_000, currency: 'NGN', metadata },
      },
    });
  },
  signSample: paystackSignature.sign,
  backfill: paystackBackfill,
};
