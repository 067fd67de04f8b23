import { digestOf, readJsonBody } from '../deliveries.ts';
import { ADDRESS, type Delivery, type Provider } from '../provider.ts';
import { SHOP, shopifyBackfill } from './backfill.ts';
import { translateShopify } from './translate.ts';
import { shopifySignature } from './verify.ts';

/** Shopify: the orders of a shop. */
export const shopify: Provider = {
  name: 'shopify',
  title: 'Shopify',
  isShop: true,
  fields: [
    {
      name: 'signing_secret',
      label: 'Signing secret',
      hint: 'Settings → Notifications → Webhooks: it is below the list. For webhooks of an app, it is the client secret of the app.',
      ...{ isSecret: true, isRequired: true },
    },
    {
      name: 'shop',
      label: 'Shop',
      hint: 'The name of your shop as Shopify has it: see the address of your admin.',
      ...{ isSecret: false, isRequired: false, pattern: SHOP, example: 'your-shop.myshopify.com' },
    },
    {
      name: 'client_id',
      label: 'Client ID of your app',
      hint: 'Dev Dashboard → your app → Settings. With it, tokens for history are fetched each day; the signing secret is then the client secret of the app.',
      ...{ isSecret: false, isRequired: false },
    },
    {
      name: 'api_key',
      label: 'Admin API access token',
      hint: 'Only for apps from before 2026: Settings → Apps → Develop apps → your app → API credentials.',
      ...{ isSecret: true, isRequired: false },
      ...{ pattern: /^shp\w+_\S+$/, example: 'shpat_…' },
    },
  ],
  steps: [
    {
      title: 'Create the webhooks',
      text: 'In Shopify, open Settings → Notifications → Webhooks and click Create webhook, once for each event below. Choose the format JSON and paste the address above.',
      way: ['Settings', 'Notifications', 'Webhooks', 'Create webhook'],
      form: { Format: 'JSON', URL: ADDRESS },
    },
    {
      title: 'Paste the signing secret',
      text: 'Below the list of webhooks, Shopify shows the secret that it signs with. Copy it and paste it here.',
      ...{
        way: ['Settings', 'Notifications', 'Webhooks'],
        form: { 'Secret, below the list': '••••••••••••' },
      },
    },
    {
      title: 'Carry the visitor id',
      text: 'Add the line to your theme, where the cart is shown. Shopify copies the attributes of the cart to the order.',
    },
  ],
  eventTypes: [
    ...['orders/paid', 'orders/create', 'order_transactions/create', 'refunds/create'],
    ...['disputes/create', 'disputes/update'],
  ],
  visitorLine:
    "window.fetch('/cart/update.js', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ attributes: { service_visitor_id: (document.cookie.match(/service_visitor_id=([\\w.:-]+)/) || [])[1] } }) });",
  verify: (delivery, { signingSecrets }) => shopifySignature.verify(delivery, signingSecrets),
  readEvent: (delivery) => {
    const body = readJsonBody(delivery);
    const type = headerOf(delivery, 'topic');
    if (body === undefined || type === undefined) return undefined;
    // The event id is the same for several topics. This one is of the delivery, and stays when it is repeated.
    const id = headerOf(delivery, 'webhook-id') ?? digestOf(delivery);
    return { id, type, isTest: body.test === true, receivedAt: delivery.receivedAt, body };
  },
  translate: translateShopify,
  makeSample: (id, at) =>
    JSON.stringify({
      ...{ id, test: true, financial_status: 'paid', processed_at: new Date(at).toISOString() },
      ...{ total_price: '49.00', currency: 'USD', email: 'test@example.com' },
      note_attributes: [{ name: 'service_visitor_id', value: 'test-visitor' }],
    }),
  signSample: (body, secret, _at, id) => ({
    ...shopifySignature.sign(body, secret),
    ...{ 'x-shopify-topic': 'orders/paid', 'x-shopify-webhook-id': id },
  }),
  backfill: shopifyBackfill,
};

function headerOf({ headers }: Delivery, name: string): string | undefined {
  return headers[`x-shopify-${name}`] || headers[`shopify-${name}`] || undefined;
}
