import { digestOf, readJsonBody } from '../deliveries.ts';
import { ADDRESS, type Provider } from '../provider.ts';
import { SHOP_URL, wooCommerceBackfill } from './backfill.ts';
import { translateWooCommerce } from './translate.ts';
import { isWooCommercePing, wooCommerceSignature } from './verify.ts';

const TOPIC = 'x-wc-webhook-topic';
const DELIVERY_ID = 'x-wc-webhook-delivery-id';

/** WooCommerce, with or without its extension for subscriptions. */
export const wooCommerce: Provider = {
  name: 'woocommerce',
  title: 'WooCommerce',
  isShop: true,
  hasNumberedIds: true,
  fields: [
    {
      name: 'signing_secret',
      label: 'Secret',
      hint: 'You choose it when you add the webhook.',
      ...{ isSecret: true, isRequired: true },
    },
    {
      name: 'shop',
      label: 'Address of the shop',
      hint: 'The WordPress Address from Settings → General.',
      ...{ isSecret: false, isRequired: false },
      ...{ pattern: SHOP_URL, example: 'https://shop.example' },
    },
    {
      name: 'api_key',
      label: 'Consumer key and secret',
      hint: 'WooCommerce → Settings → Advanced → REST API → Add key, with the permission Read. Write the key, a colon, and the secret.',
      ...{ isSecret: true, isRequired: false },
      ...{ pattern: /^ck_\w+:cs_\w+$/, example: 'ck_…:cs_…' },
    },
  ],
  steps: [
    {
      title: 'Add the webhooks',
      text: 'In WordPress, open WooCommerce → Settings → Advanced → Webhooks and click Add webhook, once for each event below: topic “Order updated”, and so on. Paste the address above as the Delivery URL and set the status to Active.',
      way: ['WooCommerce', 'Settings', 'Advanced', 'Webhooks', 'Add webhook'],
      form: { Status: 'Active', 'Delivery URL': ADDRESS },
    },
    {
      title: 'Choose a secret',
      text: 'Type the same long random text as the Secret of each webhook, and paste it here.',
      way: ['WooCommerce', 'Settings', 'Advanced', 'Webhooks'],
      form: { Secret: 'a long random text' },
    },
    {
      title: 'Carry the visitor id',
      text: 'Add the line to the functions.php of your theme. It keeps the visitor id with the order.',
    },
  ],
  eventTypes: ['order.created', 'order.updated', 'subscription.created'],
  visitorLine:
    "add_action('woocommerce_checkout_create_order', fn($order) => isset($_COOKIE['service_visitor_id']) && $order->update_meta_data('service_visitor_id', $_COOKIE['service_visitor_id']));",
  isPing: isWooCommercePing,
  verify: (delivery, { signingSecrets }) => wooCommerceSignature.verify(delivery, signingSecrets),
  readEvent: (delivery) => {
    const body = readJsonBody(delivery);
    const type = delivery.headers[TOPIC];
    if (body === undefined || !type) return undefined;
    // WooCommerce makes the id of the second, so deliveries of the same second share it.
    const id = `${delivery.headers[DELIVERY_ID] ?? ''}:${digestOf(delivery)}`;
    return { id, type, isTest: false, receivedAt: delivery.receivedAt, body };
  },
  translate: translateWooCommerce,
  makeSample: (id, at) =>
    JSON.stringify({
      ...{ id, status: 'completed', currency: 'USD', total: '49.00' },
      date_paid_gmt: new Date(at).toISOString().slice(0, 19),
      meta_data: [{ key: 'service_visitor_id', value: 'test-visitor' }],
    }),
  signSample: (body, secret, _at, id) => ({
    ...wooCommerceSignature.sign(body, secret),
    ...{ [TOPIC]: 'order.updated', [DELIVERY_ID]: id },
  }),
  backfill: wooCommerceBackfill,
};
