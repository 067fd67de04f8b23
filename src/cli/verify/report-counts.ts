import { toTable } from '../io/answer.ts';
import type { Check } from './count.ts';

/** Differing days shown at most, so that years of them do not flood the terminal. */
const DAYS_MAX = 40;

/** The counts for programs: all of them, the differences, and the accepted gaps. */
export function toValues(counts: readonly Check[]) {
  const values = counts.map(({ gap: _, isAccepted, ...count }) => ({
    ...count,
    ...(isAccepted && { accepted: true }),
  }));
  const differences = values.filter(({ agrees }) => !agrees);
  const accepted = values.filter((count) => count.accepted);
  return { verified: differences.length === 0, counts: values, differences, accepted };
}

/** The counts as a table for people, with a verdict below. */
export function formatCounts(counts: readonly Check[]): string {
  const hidden = new Set(counts.filter(({ day }) => day !== undefined).slice(DAYS_MAX));
  const rows = counts
    .filter((count) => !hidden.has(count))
    .map((count) => [count.what, count.expected, count.found, toState(count)]);
  const table = toTable(['counted', 'expected', 'in the warehouse', ''], rows);
  const more = hidden.size > 0 ? `\n… and ${hidden.size} more days; use --json to see all.` : '';
  return `${table}${more}\n\n${toVerdict(counts)}`;
}

function toState({ agrees, isAccepted }: Check): string {
  if (!agrees) return 'DIFFERS';
  return isAccepted ? 'accepted' : 'ok';
}

function toVerdict(counts: readonly Check[]): string {
  const differing = counts.filter(({ agrees }) => !agrees).length;
  if (differing > 0) return `${differing} of ${counts.length} differ.`;
  const accepted = counts.filter(({ isAccepted }) => isAccepted).length;
  if (accepted === 0) return 'Nothing differs.';
  return `Nothing differs except gaps accepted by a rebuild (${accepted} of ${counts.length} counts).`;
}
