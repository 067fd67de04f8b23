import { digestOf, readFormBody } from '../deliveries.ts';
import { ADDRESS, type Provider } from '../provider.ts';
import { gumroadBackfill } from './backfill.ts';
import { translateGumroad } from './translate.ts';
import { verifyGumroad } from './verify.ts';

/** Gumroad, by its pings. */
export const gumroad: Provider = {
  name: 'gumroad',
  title: 'Gumroad',
  fields: [
    {
      name: 'seller_id',
      label: 'Seller ID',
      hint: 'Settings → Advanced: it is shown beside the Ping endpoint.',
      ...{ isSecret: false, isRequired: true },
      example: 'abc123DEF==',
    },
    {
      name: 'api_key',
      label: 'Access token',
      hint: 'Settings → Advanced → Applications → your application → Generate access token. It needs the scope view_sales. Without it, refunds and disputes are not seen.',
      ...{ isSecret: true, isRequired: false },
    },
  ],
  steps: [
    {
      title: 'Set the Ping endpoint',
      text: 'In Gumroad, open Settings → Advanced and paste the address above, with its token, as the Ping endpoint. Keep it to yourself: Gumroad signs nothing, so the token is the proof.',
      ...{ way: ['Settings', 'Advanced'], form: { 'Ping endpoint': ADDRESS } },
    },
    {
      title: 'Paste your seller ID',
      text: 'Copy the seller ID from the same page and paste it here. With an access token, refunds and disputes are read from your list of sales.',
      ...{ way: ['Settings', 'Advanced'], form: { 'Seller ID': 'abc123DEF==' } },
    },
    {
      title: 'Carry the visitor id',
      text: 'Add the visitor id to the links to your products, as in the line. Gumroad repeats what is in the address.',
    },
  ],
  eventTypes: [],
  visitorLine:
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shop fills it in.
    '`https://your-name.gumroad.com/l/product?service_visitor_id=${cookies.service_visitor_id}`',
  hasTokenInAddress: true,
  verify: verifyGumroad,
  readEvent: (delivery) => {
    const body = readFormBody(delivery);
    const { sale_id, resource_name, refunded } = body;
    if (sale_id === undefined && resource_name === undefined) return undefined;
    const type = resource_name ?? (refunded === 'true' ? 'refund' : 'sale');
    const isOfSale = ['sale', 'refund', 'dispute', 'dispute_won'].includes(type);
    return {
      ...{ id: isOfSale && sale_id ? `${sale_id}:${type}` : digestOf(delivery), type, body },
      ...{ isTest: body.test === 'true', receivedAt: delivery.receivedAt },
    };
  },
  translate: translateGumroad,
  makeSample: (id, at, { seller_id = '' }) => {
    const time = new Date(at).toISOString();
    const visitor = { 'url_params[service_visitor_id]': 'test-visitor' };
    const sale = { seller_id, sale_id: id, sale_timestamp: time, price: '4900', test: 'true' };
    return `${new URLSearchParams({ ...sale, email: 'test@example.com', ...visitor })}`;
  },
  signSample: () => ({ 'content-type': 'application/x-www-form-urlencoded' }),
  backfill: gumroadBackfill,
};
