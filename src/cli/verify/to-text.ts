import { toTable } from '../answer.ts';
import type { Count } from './count.ts';

/** The counts as a table for people, with a verdict below. */
export function toText(counts: readonly Count[]): string {
  const differences = counts.filter((count) => !count.agrees).length;
  const table = toTable(
    ['counted', 'expected', 'in the warehouse', ''],
    counts.map(({ what, expected, found, agrees }) => [
      ...[what, expected, found],
      agrees ? 'ok' : 'DIFFERS',
    ]),
  );
  const verdict =
    differences === 0 ? 'Nothing differs.' : `${differences} of ${counts.length} differ.`;
  return `${table}\n\n${verdict}`;
}
