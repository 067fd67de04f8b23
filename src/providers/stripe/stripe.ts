import { readJsonBody } from '../deliveries.ts';
import { type JsonObject, textAt } from '../json.ts';
import { ADDRESS, type Provider } from '../provider.ts';
import { stripeBackfill } from './backfill.ts';
import { translateStripe } from './translate.ts';
import { stripeSignature } from './verify.ts';

/** Stripe: snapshot events of any API version, and thin ones. */
export const stripe: Provider = {
  ...{ name: 'stripe', title: 'Stripe' },
  fields: [
    {
      ...{ name: 'signing_secret', label: 'Signing secret' },
      hint: 'Workbench → Webhooks → your destination → Signing secret.',
      ...{ isSecret: true, isRequired: true, pattern: /^whsec_\S{16,}$/, example: 'whsec_…' },
    },
    {
      ...{ name: 'account', label: 'Connected account' },
      hint: 'Only for Stripe Connect: the account whose payments count.',
      ...{ isSecret: false, isRequired: false, pattern: /^acct_\w+$/, example: 'acct_…' },
    },
    {
      ...{ name: 'api_key', label: 'Restricted API key' },
      hint: 'Developers → API keys → Create restricted key: Read for Balance, Charges and Refunds, Customers, Checkout Sessions, Disputes, Invoices, PaymentIntents and Subscriptions. For history, and for thin events. With Write for Webhook Endpoints and no signing secret, the webhook creates itself.',
      ...{ isSecret: true, isRequired: false },
      ...{ pattern: /^[rs]k_live_\S{8,}$/, example: 'rk_live_…' },
    },
  ],
  steps: [
    {
      title: 'Create the webhook',
      text: 'In Stripe, open Workbench → Webhooks → Add destination. Choose "Your account", the events below and "Webhook endpoint", and paste the address. Keep the payload style "Snapshot".',
      way: ['Workbench', 'Webhooks', 'Add destination'],
      form: { 'Endpoint URL': ADDRESS, 'Payload style': 'Snapshot' },
    },
    {
      title: 'Paste the signing secret',
      text: 'Open the destination, reveal its signing secret (whsec_…) and paste it here.',
      ...{ way: ['Workbench', 'Webhooks', 'destination'], form: { 'Signing secret': 'whsec_…' } },
    },
    {
      title: 'Carry the visitor id',
      text: 'Where your server creates the Checkout Session, pass the cookie service_visitor_id as metadata. For a Payment Link, add ?client_reference_id=VISITOR_ID to its address.',
    },
  ],
  eventTypes: [
    ...['checkout.session.completed', 'checkout.session.async_payment_succeeded'],
    ...['charge.succeeded', 'charge.captured', 'charge.refunded', 'refund.created'],
    ...['refund.updated', 'refund.failed', 'charge.dispute.created', 'charge.dispute.closed'],
    ...['invoice.paid', 'invoice_payment.paid', 'customer.subscription.created'],
  ],
  visitorLine: 'metadata: { service_visitor_id: cookies.service_visitor_id },',
  verify: (delivery, { signingSecrets }) => stripeSignature.verify(delivery, signingSecrets),
  readEvent(delivery) {
    const body = readJsonBody(delivery);
    const [id, type] = [textAt(body, 'id'), textAt(body, 'type')];
    if (body === undefined || id === undefined || type === undefined) return undefined;
    return { id, type, isTest: body.livemode === false, receivedAt: delivery.receivedAt, body };
  },
  translate: (event, { account }) =>
    [undefined, textAt(event.body, 'account')].includes(account)
      ? translateStripe(event)
      : { kind: 'ignored', why: 'It is of another account.' },
  makeSample(id, at) {
    const created = Math.floor(at / 1_000);
    const charge: JsonObject = {
      ...{ id: 'ch_tributary_test', object: 'charge', amount: 1_000, amount_captured: 1_000 },
      ...{ currency: 'eur', created, captured: true, paid: true, status: 'succeeded' },
    };
    const event = { id, object: 'event', type: 'charge.succeeded', created, livemode: false };
    return JSON.stringify({ ...event, data: { object: charge } });
  },
  signSample: stripeSignature.sign,
  backfill: stripeBackfill,
};
