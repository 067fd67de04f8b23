import { ok, type Result, refuse } from '#domain/result.ts';

const PLAIN = /^\d+(\.\d+)?$/;
/** Spaces and apostrophes, which only ever separate thousands. */
const GROUPING = /(?<=\d)[\s'’](?=\d)/gu;

/**
 * The plain decimal text of an amount as people and spreadsheets write it: `1,234.50`, `1.234,50`, `1 234,50`, `-5`.
 *
 * - Refuses what can be read in two ways: `1,234` of a currency with cents is a thousand, or one and a quarter.
 */
export function readWrittenAmount(text: string, exponent: number): Result<string, string> {
  const [, sign = '', rest = ''] = /^([-+−]?)\s*(.*)$/su.exec(text.trim()) ?? [];
  const minus = sign === '-' || sign === '−' ? '-' : '';
  const written = rest.replaceAll(GROUPING, '');
  if (PLAIN.test(written) && !isGrouped(written, exponent)) return ok(`${minus}${written}`);
  if (!/^\d[\d.,]*\d$/.test(written)) return refuse('must be a number, such as 1234.50');
  const separators = new Set(written.replaceAll(/\d/g, ''));
  const last = Math.max(written.lastIndexOf('.'), written.lastIndexOf(','));
  const mark = written[last] as string;
  const count = written.split(mark).length - 1;
  const isDecimal =
    separators.size === 2 ? count === 1 : count === 1 && !isGrouped(written, exponent);
  if (!isDecimal && separators.size === 1 && count === 1 && exponent !== 0) {
    const [whole = '', fraction = ''] = written.split(mark);
    const rounded = `${whole}.${fraction.slice(0, exponent)}`;
    return refuse(`can be read in two ways: write ${whole}${fraction} or ${rounded}`);
  }
  const [units, fraction] = isDecimal
    ? [written.slice(0, last), `.${written.slice(last + 1)}`]
    : [written, ''];
  if (/[.,]/.test(units) && !GROUPS.test(units)) return refuse('must be a number, such as 1234.50');
  return ok(`${minus}${units.replaceAll(/[.,]/g, '')}${fraction}`);
}

/** Thousands, also as India groups them: `1,23,456`. */
const GROUPS = /^\d{1,3}(([.,])\d{2,3}(\2\d{2,3})*)?(?<=\d{3})$/;

/** Whether one mark may separate thousands: three digits follow it, and the currency has another number of decimals. */
function isGrouped(written: string, exponent: number): boolean {
  return exponent !== 3 && /^[1-9]\d{0,2}[.,]\d{3}$/.test(written);
}
