import { readJsonBody } from '../deliveries.ts';
import { textAt } from '../json.ts';
import { ADDRESS, type Provider } from '../provider.ts';
import { payPalBackfill } from './backfill.ts';
import { translatePayPal } from './translate.ts';
import { findPayPalCertificateUrl, verifyPayPal } from './verify.ts';

/** PayPal. Only PayPal itself can sign: its simulator tests a connection. */
export const payPal: Provider = {
  name: 'paypal',
  title: 'PayPal',
  fields: [
    {
      ...{ name: 'signing_secret', label: 'Webhook ID' },
      hint: 'Apps & Credentials → your app → Webhooks: beside the address, after you have saved it.',
      ...{ isSecret: true, isRequired: true },
      ...{ pattern: /^\w{10,}$/, example: '5GP028458E2496506' },
    },
    {
      ...{ name: 'client_id', label: 'Client ID' },
      hint: 'Apps & Credentials → your app → Client ID.',
      ...{ isSecret: false, isRequired: false },
    },
    {
      ...{ name: 'api_key', label: 'Client secret' },
      hint: 'Apps & Credentials → your app → Secret. Allow the app “Transaction search”.',
      ...{ isSecret: true, isRequired: false },
    },
    {
      ...{ name: 'mode', label: 'Mode' },
      hint: 'Write sandbox if the app is a sandbox app.',
      ...{ isSecret: false, isRequired: false },
      ...{ pattern: /^(?:live|sandbox)$/, example: 'live' },
    },
  ],
  steps: [
    {
      title: 'Add the webhook',
      text: 'In the PayPal Developer Dashboard, switch to Live, open Apps & Credentials → your app, and click Add Webhook. Paste the address above and select the events below.',
      way: ['Live', 'Apps & Credentials', 'your app', 'Add Webhook'],
      form: { 'Webhook URL': ADDRESS },
    },
    {
      title: 'Paste the webhook ID',
      text: 'PayPal shows a Webhook ID beside the saved address. It is part of what PayPal signs. Copy it and paste it here.',
      way: ['Apps & Credentials', 'your app', 'Webhooks'],
      form: { 'Webhook ID': '5GP028458E2496506' },
    },
    {
      title: 'Carry the visitor id',
      text: 'Pass custom_id with each purchase unit when your server creates the order, and with a subscription.',
    },
  ],
  eventTypes: [
    ...['PAYMENT.CAPTURE.COMPLETED', 'PAYMENT.CAPTURE.REFUNDED', 'PAYMENT.CAPTURE.REVERSED'],
    ...['PAYMENT.SALE.COMPLETED', 'PAYMENT.SALE.REFUNDED', 'PAYMENT.SALE.REVERSED'],
    ...['BILLING.SUBSCRIPTION.CREATED', 'BILLING.SUBSCRIPTION.ACTIVATED'],
    ...['CUSTOMER.DISPUTE.CREATED', 'CUSTOMER.DISPUTE.UPDATED', 'CUSTOMER.DISPUTE.RESOLVED'],
  ],
  visitorLine: 'custom_id: cookies.service_visitor_id,',
  findCertificateUrl: findPayPalCertificateUrl,
  verify: (delivery, { signingSecrets }, certificate) =>
    verifyPayPal(delivery, signingSecrets, certificate),
  readEvent: (delivery) => {
    const body = readJsonBody(delivery);
    const id = textAt(body, 'id');
    const type = textAt(body, 'event_type');
    if (body === undefined || id === undefined || type === undefined) return undefined;
    const certificateUrl = delivery.headers['paypal-cert-url'] ?? '';
    const isTest = certificateUrl.includes('.sandbox.paypal.com/');
    return { id, type, isTest, receivedAt: delivery.receivedAt, body };
  },
  translate: translatePayPal,
  makeSample: (id, at) => {
    const time = new Date(at).toISOString();
    return JSON.stringify({
      ...{ id, event_type: 'PAYMENT.CAPTURE.COMPLETED', create_time: time },
      resource: {
        ...{ id, status: 'COMPLETED', create_time: time, custom_id: 'test-visitor' },
        amount: { value: '49.00', currency_code: 'USD' },
      },
    });
  },
  backfill: payPalBackfill,
};
