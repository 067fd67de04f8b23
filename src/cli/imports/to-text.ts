import { PROGRAM } from '#contract/program.ts';
import { countNoun } from '#domain/count-noun.ts';
import { zonedAt } from '#domain/time/period.ts';
import type { PaymentFile } from '#imports/read-lines.ts';
import type { ImportTally, Remark } from '#imports/tally.ts';
import { toTable } from '../io/answer.ts';

/** What came of a file, for people, with days in the site's time zone. Without an import's id, it was only tried. */
export function formatTally(
  file: PaymentFile,
  tally: ImportTally,
  { timezone, id }: { readonly timezone: string; readonly id: string | undefined },
): string {
  const { payments, refunds, completed, already_there, first, last } = tally;
  const verb = id === undefined ? 'Would record' : 'Recorded';
  const toDay = (instant = '') => zonedAt(Date.parse(instant), timezone).toPlainDate();
  const span = first === undefined ? '' : `, from ${toDay(first)} to ${toDay(last)}`;
  const parts = [
    `Read ${countNoun(tally.lines, 'line')} of ${file.format.title}. ${verb} ${countNoun(payments, 'payment')} and ${countNoun(refunds, 'refund')}${span}.`,
    toTable(
      SUMS,
      tally.sums.map(({ currency, ...sum }) => [currency, ...Object.values(sum).map(String)]),
    ),
    already_there > 0 ? `Already there: ${already_there}.` : '',
    completed > 0 ? `Facts added to payments that are already there: ${completed}.` : '',
    ...tally.left_out.map((remark) => toLine('Left out', remark)),
    ...tally.notes.map((remark) => toLine('Note', remark)),
    file.ignored.length > 0 ? `Columns that are not read: ${file.ignored.join(', ')}` : '',
    toFaults(tally),
    id === undefined ? '' : `Import ${id}. To undo it: ${PROGRAM} payment undo-import ${id}`,
  ];
  return parts.filter((part) => part !== '').join('\n');
}

const SUMS = ['CURRENCY', 'PAYMENTS', 'AMOUNT', 'REFUNDS', 'REFUNDED'];

function toLine(what: string, { message, lines }: Remark): string {
  return `${what}, ${countNoun(lines, 'line')}: ${message}`;
}

/** The first faults of a file, as a table. */
export function toFaults({
  wrong_lines,
  faults,
}: Pick<ImportTally, 'wrong_lines' | 'faults'>): string {
  if (wrong_lines === 0) return '';
  const rows = faults.map(({ line, column, message }) => [String(line), column, message]);
  const listed = new Set(faults.map(({ line }) => line)).size;
  const more = listed < wrong_lines ? ` The first ${listed}:` : '';
  const count = `${countNoun(wrong_lines, 'line')} ${wrong_lines === 1 ? 'is' : 'are'} wrong.`;
  return `${count}${more}\n${toTable(['LINE', 'COLUMN', 'FAULT'], rows)}`;
}
