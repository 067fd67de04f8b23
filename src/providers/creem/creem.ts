import { readJsonBody } from '../deliveries.ts';
import { objectAt, textAt } from '../json.ts';
import { ADDRESS, type Provider } from '../provider.ts';
import { creemBackfill } from './backfill.ts';
import { translateCreem } from './translate.ts';
import { creemSignature, verifyCreem } from './verify.ts';

/** Modes whose payments are no money. */
const TEST_MODES = new Set(['test', 'sandbox', 'local']);

/** Creem. */
export const creem: Provider = {
  name: 'creem',
  title: 'Creem',
  fields: [
    {
      name: 'signing_secret',
      label: 'Webhook secret',
      hint: 'Developers → Webhooks → your webhook → Webhook Secret.',
      ...{ isSecret: true, isRequired: true },
      example: 'whsec_…',
    },
    {
      name: 'api_key',
      label: 'API key',
      hint: 'Developers → API Keys. It is needed for renewals too: their events do not say what was paid.',
      ...{ isSecret: true, isRequired: false },
      ...{ pattern: /^creem_\S+$/, example: 'creem_…' },
    },
  ],
  steps: [
    {
      title: 'Create the webhook',
      text: 'In Creem, open Developers → Webhooks and click Create webhook. Paste the address above and select the events below.',
      ...{ way: ['Developers', 'Webhooks', 'Create webhook'], form: { URL: ADDRESS } },
    },
    {
      title: 'Paste its secret',
      text: 'Open the new webhook, copy the Webhook Secret, and paste it here.',
      ...{ way: ['Developers', 'Webhooks', 'your webhook'], form: { 'Webhook Secret': 'whsec_…' } },
    },
    {
      title: 'Carry the visitor id',
      text: 'Pass metadata when your server creates the checkout. Creem copies it to the subscription and repeats it in its events.',
    },
  ],
  eventTypes: [
    ...['checkout.completed', 'subscription.paid', 'subscription.trialing'],
    ...['refund.created', 'dispute.created'],
  ],
  visitorLine: 'metadata: { service_visitor_id: cookies.service_visitor_id },',
  verify: (delivery, { signingSecrets }) => verifyCreem(delivery, signingSecrets),
  readEvent: (delivery) => {
    const body = readJsonBody(delivery);
    const id = textAt(body, 'id');
    const type = textAt(body, 'eventType') ?? textAt(body, 'type');
    if (body === undefined || id === undefined || type === undefined) return undefined;
    const object = objectAt(body, 'object') ?? objectAt(body, 'data');
    const isTest = TEST_MODES.has(textAt(object, 'mode') ?? '');
    return { id, type, isTest, receivedAt: delivery.receivedAt, body };
  },
  translate: translateCreem,
  makeSample: (id, at) => {
    const time = new Date(at).toISOString();
    const money = { amount: 4900, amount_paid: 4900, currency: 'USD', transaction: id };
    return JSON.stringify({
      ...{ id, eventType: 'checkout.completed', created_at: at },
      object: {
        ...{ id: `ch_${id}`, object: 'checkout', status: 'completed', mode: 'test' },
        order: { id: `ord_${id}`, ...money, status: 'paid', type: 'onetime', created_at: time },
        metadata: { service_visitor_id: 'test-visitor' },
      },
    });
  },
  signSample: creemSignature.sign,
  backfill: creemBackfill,
};
