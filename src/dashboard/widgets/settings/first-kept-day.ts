import { parseRetention } from '#domain/time/parse-retention.ts';

/**
 * The first day whose events are kept, in the site's zone: `2026-10-28`. Undefined if all are kept, or the
 * text is no retention.
 *
 * - Why not the server's own function: it needs `Temporal`, which not every browser has.
 */
export function firstKeptDay(text: string, today: string): string | undefined {
  const retention = parseRetention(text);
  if (retention === undefined) return undefined;
  const { count, unit } = retention;
  const at = new Date(`${today}T00:00Z`);
  if (unit === 'days') at.setUTCDate(at.getUTCDate() - count);
  else subtractMonths(at, unit === 'years' ? count * 12 : count);
  return at.toISOString().slice(0, 10);
}

/** Subtracts months. If the month has no such day, its last day is the result. */
function subtractMonths(at: Date, count: number): void {
  const day = at.getUTCDate();
  at.setUTCMonth(at.getUTCMonth() - count);
  if (at.getUTCDate() !== day) at.setUTCDate(0);
}

/** The day before which a change of retention deletes events; undefined if it deletes none. */
export function findDeletedBefore(
  { from, to }: { readonly from: string; readonly to: string },
  today: string,
): string | undefined {
  const [before, after] = [firstKeptDay(from, today), firstKeptDay(to, today)];
  return after !== undefined && (before === undefined || after > before) ? after : undefined;
}
