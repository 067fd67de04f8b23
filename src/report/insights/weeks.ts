import { zonedAt } from '#domain/time/period.ts';

/** A first and last day, both included. */
export type WholeWeek = { readonly from: string; readonly to: string };

/** How many weeks this one is compared with, at most and at least. */
export const WEEKS = { max: 8, min: 4 } as const;

/** The last seven whole days of the time zone, and the eight weeks before, latest first. */
export function toWeeks(now: number, timeZone: string): readonly WholeWeek[] {
  const today = zonedAt(now, timeZone).toPlainDate();
  return Array.from({ length: WEEKS.max + 1 }, (_, back) => ({
    from: `${today.subtract({ days: 7 * (back + 1) })}`,
    to: `${today.subtract({ days: 7 * back + 1 })}`,
  }));
}

/** The weekday, `Tuesday`, and the day, `Tuesday, 24 November`. */
export function nameDay(day: string): { readonly weekday: string; readonly day: string } {
  const at = new Date(`${day}T12:00:00Z`);
  const name = (form: Intl.DateTimeFormatOptions) =>
    at.toLocaleDateString('en-GB', { ...form, timeZone: 'UTC' });
  const weekday = name({ weekday: 'long' });
  return { weekday, day: `${weekday}, ${name({ day: 'numeric', month: 'long' })}` };
}

/** Every day of a week. */
export function daysOfWeek({ from }: WholeWeek): readonly string[] {
  const first = Temporal.PlainDate.from(from);
  return Array.from({ length: 7 }, (_, index) => `${first.add({ days: index })}`);
}
