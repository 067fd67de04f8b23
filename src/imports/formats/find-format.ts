import { findLikelyName } from '#domain/find-likely-name.ts';
import { UnreadableFile } from '../csv/decode-text.ts';
import { assertOnce, toColumnName } from '../csv/read-table.ts';
import type { Format } from './format.ts';
import { paddleTransactions } from './paddle.ts';
import { paypal } from './paypal.ts';
import { stripeBalance } from './stripe-balance.ts';
import { stripePayments } from './stripe-payments.ts';
import { tributary } from './tributary.ts';

/** All formats; of those that fit a header, the first one counts. */
const FORMATS: readonly Format[] = [
  tributary,
  stripePayments,
  stripeBalance,
  paypal,
  paddleTransactions,
];

/** The names of formats. */
export const FORMAT_NAMES = [...new Set(FORMATS.map(({ name }) => name))];

/**
 * Finds the format of a file by its columns; `named` if somebody has said which.
 *
 * - Throws UnreadableFile if there is none, or a column that is read is there twice.
 */
export function findFormat(columns: readonly string[], named?: string): Format {
  const asked = FORMATS.filter(({ name }) => named === undefined || name === named);
  const found = asked.find((format) => findMissing(format, columns).length === 0);
  if (found === undefined) throw new UnreadableFile(explain(asked, columns));
  assertOnce(columns, [...found.required.flat(), ...found.optional]);
  return found;
}

/** The columns that a format does not read, with what may have been meant. */
export function findIgnored(
  { required, optional }: Pick<Format, 'required' | 'optional'>,
  columns: readonly string[],
): string[] {
  const read = [...required.flat(), ...optional];
  const names = new Set(read.map(toColumnName));
  const given = new Set(columns.map(toColumnName));
  const free = read.filter((name) => !given.has(toColumnName(name)));
  return columns
    .filter((column) => column !== '' && !names.has(toColumnName(column)))
    .map((column) => {
      const likely = findLikelyName(column.replaceAll(' ', '_'), free);
      return likely === undefined ? column : `${column} (did you mean ${likely}?)`;
    });
}

function findMissing({ required }: Format, columns: readonly string[]): string[] {
  const given = new Set(columns.map(toColumnName));
  return required
    .filter((names) => !names.some((name) => given.has(toColumnName(name))))
    .map((names) => names.join(' or '));
}

function explain(formats: readonly Format[], columns: readonly string[]): string {
  const shown = columns.slice(0, 20).map((name) => name.slice(0, 40));
  const lines = formats.map(
    (format) =>
      `  ${format.name} (${format.title}) lacks ${findMissing(format, columns).join(', ')}`,
  );
  return `No format has the columns ${shown.join(', ')}.\n${lines.join('\n')}`;
}
