import { parseRetention } from '#domain/time/parse-retention.ts';
import { addDays, moveMonth } from '../../ui/calendar/month-weeks.ts';

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
  if (unit === 'days') return addDays(today, -count);
  return moveMonth(today, unit === 'years' ? -12 * count : -count);
}

/** The day before which a change of retention deletes events; undefined if it deletes none. */
export function findDeletedBefore(
  { from, to }: { readonly from: string; readonly to: string },
  today: string,
): string | undefined {
  const [before, after] = [firstKeptDay(from, today), firstKeptDay(to, today)];
  return after !== undefined && (before === undefined || after > before) ? after : undefined;
}
