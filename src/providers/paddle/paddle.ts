import { readJsonBody } from '../deliveries.ts';
import { textAt } from '../json.ts';
import { ADDRESS, type Provider } from '../provider.ts';
import { paddleBackfill } from './backfill.ts';
import { translatePaddle } from './translate.ts';
import { paddleSignature } from './verify.ts';

/** Paddle Billing. */
export const paddle: Provider = {
  name: 'paddle',
  title: 'Paddle',
  fields: [
    {
      name: 'signing_secret',
      label: 'Secret key of the notification destination',
      hint: 'Developer tools → Notifications → your destination → Edit → Secret key.',
      ...{ isSecret: true, isRequired: true },
      ...{ pattern: /^pdl_ntfset_\S+$/, example: 'pdl_ntfset_…' },
    },
    {
      name: 'api_key',
      label: 'API key',
      hint: 'Developer tools → Authentication → New API key, with read permission for transactions, adjustments and customers.',
      ...{ isSecret: true, isRequired: false },
      ...{ pattern: /^pdl_(?:live|sdbx)_apikey_\S+$/, example: 'pdl_live_apikey_…' },
    },
  ],
  steps: [
    {
      title: 'Create the notification destination',
      text: 'In Paddle, open Developer tools → Notifications and click New destination. Choose the type URL, paste the address above, and select the events below.',
      way: ['Developer tools', 'Notifications', 'New destination'],
      form: { Type: 'URL', URL: ADDRESS },
    },
    {
      title: 'Paste its secret key',
      text: 'Click the three dots beside the new destination, then Edit. Copy the secret key and paste it here.',
      way: ['Developer tools', 'Notifications', 'three dots', 'Edit'],
      form: { 'Secret key': 'pdl_ntfset_…' },
    },
    {
      title: 'Carry the visitor id',
      text: 'Pass customData to Paddle.Checkout.open, or custom_data when your server creates the transaction. Paddle copies it to the subscription and all its renewals.',
    },
  ],
  eventTypes: [
    ...['transaction.completed', 'adjustment.created', 'adjustment.updated'],
    ...['customer.created', 'customer.updated', 'subscription.created', 'subscription.trialing'],
  ],
  visitorLine: 'customData: { service_visitor_id: cookies.service_visitor_id },',
  verify: (delivery, { signingSecrets }) => paddleSignature.verify(delivery, signingSecrets),
  readEvent: (delivery) => {
    const body = readJsonBody(delivery);
    const id = textAt(body, 'event_id');
    const type = textAt(body, 'event_type');
    if (body === undefined || id === undefined || type === undefined) return undefined;
    // The sandbox is an account of its own, and does not say so in its events.
    return { id, type, isTest: false, receivedAt: delivery.receivedAt, body };
  },
  translate: translatePaddle,
  makeSample: (id, at) => {
    const time = new Date(at).toISOString();
    const totals = { grand_total: '4900', currency_code: 'USD' };
    return JSON.stringify({
      ...{ event_id: id, event_type: 'transaction.completed', occurred_at: time },
      data: {
        ...{ id: `txn_test_${at}`, status: 'completed', origin: 'web', billed_at: time },
        ...{ currency_code: 'USD', details: { totals }, items: [] },
        custom_data: { service_visitor_id: 'test-visitor' },
      },
    });
  },
  signSample: paddleSignature.sign,
  backfill: paddleBackfill,
};
