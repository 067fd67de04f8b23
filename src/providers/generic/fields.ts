import type { ConnectionField } from '../provider.ts';
import { PATH } from './read-path.ts';

/** What a connection to any other system is asked for: how it signs, and where in its events things are. */
export const GENERIC_FIELDS: readonly ConnectionField[] = [
  {
    name: 'signing_secret',
    label: 'Secret',
    hint: 'The key that the system signs with, or the token that it sends.',
    ...{ isSecret: true, isRequired: true },
  },
  choice(
    'scheme',
    'How it signs',
    'hmac (of the body, in a header) or bearer (a token).',
    /^(?:hmac|bearer)$/,
    'hmac',
  ),
  choice(
    'header',
    'Header',
    'The header with the signature, or with the token.',
    /^[\w-]+$/,
    'x-signature',
  ),
  choice('algorithm', 'Algorithm', 'sha256 or sha512.', /^(?:sha256|sha512)$/, 'sha256'),
  choice(
    'encoding',
    'Encoding',
    'How the signature is written: hex or base64.',
    /^(?:hex|base64)$/,
    'hex',
  ),
  choice('prefix', 'Prefix', 'What stands before the signature in its header.', /^\S+$/, 'sha256='),
  path('id', 'Id of the payment or refund', 'data.id', true),
  path('amount', 'Amount', 'data.amount', true),
  choice(
    'amount_unit',
    'Unit of the amount',
    'major (29.99) or minor (2999).',
    /^(?:major|minor)$/,
    'major',
  ),
  path('currency', 'Currency', 'data.currency'),
  choice('currency', 'Fixed currency', 'If the events name none.', /^[A-Z]{3}$/, 'EUR'),
  path('state', 'State or type', 'type'),
  path('visitor', 'Visitor id', 'data.metadata.service_visitor_id'),
  path('email', 'E-mail address', 'data.customer.email'),
  path('name', 'Name of the customer', 'data.customer.name'),
  path('customer', 'Id of the customer', 'data.customer.id'),
  path('subscription', 'Id of the subscription', 'data.subscription_id'),
  path('renewal', 'Whether it is a renewal', 'data.is_renewal'),
  path('product', 'Product', 'data.items[0].name'),
  path('refund_of', 'Payment that a refund or dispute is of', 'data.payment_id'),
  path('time', 'Time', 'created_at'),
  path('event', 'Id of the event', 'id'),
  path('test', 'Whether it is a test', 'test'),
  states('paid', 'paid, succeeded, success, completed, captured'),
  states('refunded', 'refunded, partially_refunded'),
  states('refund_failed', 'refund_failed'),
  states('disputed', 'disputed'),
  states('won', 'dispute_won'),
  states('lost', 'dispute_lost'),
];

function choice(
  name: string,
  label: string,
  hint: string,
  pattern: RegExp,
  example: string,
): ConnectionField {
  return { name, label, hint, isSecret: false, isRequired: false, pattern, example };
}

function path(name: string, label: string, example: string, isRequired = false): ConnectionField {
  const hint =
    'Where it is in the body: names with dots between them, places of a list in brackets.';
  return { name: `${name}_path`, label, hint, isSecret: false, isRequired, pattern: PATH, example };
}

function states(meaning: string, usual: string): ConnectionField {
  const words = meaning.replace('_', ' ');
  return choice(
    `${meaning}_states`,
    `States that mean ${words}`,
    `Separated by commas. By default: ${usual}.`,
    /^[^\n]{1,500}$/,
    usual,
  );
}
