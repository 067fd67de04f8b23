import { digestOf, readJsonBody } from '../deliveries.ts';
import { type JsonObject, objectAt, textAt } from '../json.ts';
import { ADDRESS, type Provider } from '../provider.ts';
import { mollieBackfill } from './backfill.ts';
import { translateMollie } from './translate.ts';
import { mollieSignature } from './verify.ts';

/** Mollie, by its webhooks of events. */
export const mollie: Provider = {
  name: 'mollie',
  title: 'Mollie',
  fields: [
    {
      name: 'signing_secret',
      label: 'Signing secret',
      hint: 'It is shown once, when you create the webhook.',
      ...{ isSecret: true, isRequired: true },
      pattern: /^\S{16,}$/,
    },
    {
      name: 'api_key',
      label: 'API key',
      hint: 'Developers → API keys → Live API key, or an organization access token with payments.read and refunds.read.',
      ...{ isSecret: true, isRequired: false },
      ...{ pattern: /^(?:live|test|access)_\S+$/, example: 'live_…' },
    },
  ],
  steps: [
    {
      title: 'Create the webhook',
      text: 'In Mollie, open Developers → Webhooks and click Create webhook. Paste the address above, choose the snapshot payload, and select the events below.',
      way: ['Developers', 'Webhooks', 'Create webhook'],
      form: { URL: ADDRESS, Payload: 'Snapshot' },
    },
    {
      title: 'Paste its signing secret',
      text: 'Mollie shows the signing secret once, when the webhook is created. Copy it and paste it here.',
      way: ['Developers', 'Webhooks', 'Create webhook'],
      form: { 'Signing secret': '••••••••••••' },
    },
    {
      title: 'Carry the visitor id',
      text: 'Pass metadata when your server creates the payment, and again for a subscription: Mollie copies it to the payments of the subscription.',
    },
  ],
  eventTypes: [
    ...['payment.paid', 'refund.refunded', 'refund.failed', 'refund.canceled'],
    ...['chargeback.received', 'chargeback.reversed'],
  ],
  visitorLine: 'metadata: { service_visitor_id: cookies.service_visitor_id },',
  verify: (delivery, { signingSecrets }) => mollieSignature.verify(delivery, signingSecrets),
  readEvent: (delivery) => {
    const body = readJsonBody(delivery);
    if (body === undefined) return undefined;
    const isEvent = textAt(body, 'resource') === 'event';
    const type = isEvent ? textAt(body, 'type') : typeOf(body);
    const id = isEvent ? textAt(body, 'id') : digestOf(delivery);
    if (id === undefined || type === undefined) return undefined;
    const entity = isEvent ? objectAt(body, '_embedded', 'entity') : body;
    const mode = textAt(entity, 'mode') ?? textAt(body, 'mode');
    return { id, type, isTest: mode === 'test', receivedAt: delivery.receivedAt, body };
  },
  translate: translateMollie,
  makeSample: (id, at) => {
    const time = new Date(at).toISOString();
    const entity = {
      ...{ resource: 'payment', id: 'tr_test', mode: 'test', status: 'paid', paidAt: time },
      ...{ amount: { currency: 'EUR', value: '49.00' }, sequenceType: 'oneoff' },
      metadata: { service_visitor_id: 'test-visitor' },
    };
    return JSON.stringify({
      ...{ resource: 'event', id, type: 'payment.paid', entityId: entity.id, createdAt: time },
      _embedded: { entity },
    });
  },
  signSample: mollieSignature.sign,
  backfill: mollieBackfill,
};

/** The type of an event that is sent as its bare object. */
function typeOf(body: JsonObject): string | undefined {
  const resource = textAt(body, 'resource');
  if (resource === 'chargeback') {
    return textAt(body, 'reversedAt') ? 'chargeback.reversed' : 'chargeback.received';
  }
  const status = textAt(body, 'status');
  return resource && status ? `${resource}.${status}` : undefined;
}
