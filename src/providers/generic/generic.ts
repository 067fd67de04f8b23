import { digestOf, readJsonBody } from '../deliveries.ts';
import type { JsonObject } from '../json.ts';
import type { Provider } from '../provider.ts';
import { GENERIC_FIELDS } from './fields.ts';
import { readPath, writePath } from './read-path.ts';
import { NO_STATE, scalarText, translateGeneric } from './translate.ts';
import { signGeneric, verifyGeneric } from './verify.ts';

/** Any other system that signs its webhooks, mapped by settings. */
export const generic: Provider = {
  name: 'generic',
  title: 'Another system',
  fields: GENERIC_FIELDS,
  steps: [
    {
      title: 'Create the webhook',
      text: 'In your system, create a webhook for payments, refunds and disputes, in JSON, with the address above.',
    },
    {
      title: 'Say how it signs and what its fields mean',
      text: 'Paste the secret, and say where in the body the id, amount, currency and state are. The preview shows what becomes of the last body that arrived.',
    },
    {
      title: 'Carry the visitor id',
      text: 'Store the cookie service_visitor_id with the payment, and say where in the body it is.',
    },
  ],
  eventTypes: [],
  visitorLine: '"service_visitor_id": cookies.service_visitor_id,',
  verify: verifyGeneric,
  readEvent: (delivery, { settings }) => {
    const body = readJsonBody(delivery);
    if (body === undefined) return undefined;
    const textOf = (name: string) => scalarText(readPath(body, settings[`${name}_path`]));
    const type = settings.state_path ? (textOf('state') ?? NO_STATE) : 'paid';
    // An event without an id is the same as another one with the same body.
    const id = textOf('event') ?? `${textOf('id') ?? 'none'}:${digestOf(delivery)}`;
    const isTest = textOf('test') === 'true';
    return { id, type, isTest, receivedAt: delivery.receivedAt, body };
  },
  translate: translateGeneric,
  makeSample: (id, at, settings) => {
    const [state = 'paid'] = (settings.paid_states || 'paid').split(',');
    const values = {
      ...{ id, event: id, state: state.trim(), time: new Date(at).toISOString() },
      amount: settings.amount_unit === 'minor' ? 4900 : '49.00',
      currency: settings.currency ?? 'USD',
      visitor: 'test-visitor',
    };
    const body = Object.entries(values).reduce<JsonObject>(
      (written, [name, value]) => writePath(written, settings[`${name}_path`], value),
      {},
    );
    return JSON.stringify(body);
  },
  signSample: (body, secret, _at, _id, settings) => signGeneric(body, secret, settings),
};
