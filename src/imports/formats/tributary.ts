import { PaymentRequest } from '#contract/payments/payment.ts';
import { toInstantText } from '#ingest/parse-instant.ts';
import type { CellFault, Row } from '../csv/read-table.ts';
import type { Format, PaymentFields, Reading } from './format.ts';
import { readAmount } from './read-cells.ts';

const FIELDS = Object.keys(PaymentRequest.properties) as readonly (keyof PaymentRequest)[];
const REQUIRED = ['transaction_id', 'amount', 'currency', 'timestamp'] as const;

/** Our own format: a column for each field of `POST /api/v1/payments`, by its name. */
export const tributary: Format = {
  name: 'tributary',
  title: 'our own columns',
  required: REQUIRED.map((name) => [name]),
  optional: FIELDS.filter((name) => !REQUIRED.some((each) => each === name)),
  columns: Object.fromEntries(FIELDS.map((name) => [name, name])),
  read,
};

function read(row: Row): Reading {
  const faults: CellFault[] = [];
  const add = (column: string, message: string) => faults.push({ column, message });
  const fields: Record<string, string | boolean> = {};
  for (const name of FIELDS) fields[name] = row(name);
  for (const name of ['renewal', 'refunded']) {
    const flag = FLAGS.get(row(name).toLowerCase());
    if (flag === undefined) add(name, 'must be true or false');
    fields[name] = flag ?? '';
  }
  for (const name of ['timestamp', 'refunded_at']) {
    const text = row(name);
    if (/^\d+(\.\d+)?$/.test(text)) fields[name] = toInstantText(Number(text));
  }
  // A history without dates would all be of today.
  if (row('timestamp') === '' && row('refunded_at') === '') add('timestamp', 'must not be empty');
  fields.amount = readAmount(row, ['amount', row('currency')], faults);
  return { kind: 'reports', reports: [fields as PaymentFields], faults };
}

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', '1'].map((text) => [text, true] as const),
  ...['false', 'no', '0', ''].map((text) => [text, false] as const),
]);
