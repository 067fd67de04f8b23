import { toTable } from '../answer.ts';
import type { Count } from './count.ts';

/** So many days that differ are told; a screen has no room for those of years. */
const DAYS_MAX = 40;

/** The counts as a table for people, with a verdict below. */
export function toText(counts: readonly Count[]): string {
  const days = counts.filter(({ day }) => day !== undefined);
  const untold = new Set(days.slice(DAYS_MAX));
  const differences = counts.filter((count) => !count.agrees).length;
  const told = counts.filter((count) => !untold.has(count));
  const table = toTable(
    ['counted', 'expected', 'in the warehouse', ''],
    told.map(({ what, expected, found, agrees, isAccepted }) => [
      ...[what, expected, found],
      agrees ? toAgreement(isAccepted) : 'DIFFERS',
    ]),
  );
  const verdict =
    differences === 0 ? toAllAgree(counts) : `${differences} of ${counts.length} differ.`;
  const more =
    untold.size > 0 ? `\n… and ${untold.size} more counts of days: --json tells them.` : '';
  return `${table}${more}\n\n${verdict}`;
}

function toAgreement(isAccepted?: boolean): string {
  return isAccepted ? 'accepted' : 'ok';
}

function toAllAgree(counts: readonly Count[]): string {
  const accepted = counts.filter(({ isAccepted }) => isAccepted).length;
  if (accepted === 0) return 'Nothing differs.';
  return `Nothing differs but the gaps that a rebuild was taken with (${accepted} of ${counts.length} counts).`;
}
