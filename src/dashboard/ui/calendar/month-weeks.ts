/** A calendar day: `2026-11-01`. */
type Day = string;

/** The weeks of a day's month, seven days each; the first and last reach into the adjacent months. */
export function monthWeeks(day: Day, firstWeekday: number): Day[][] {
  const first = new Date(`${day.slice(0, 7)}-01T00:00:00Z`);
  const before = (first.getUTCDay() - (firstWeekday % 7) + 7) % 7;
  const daysInMonth = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0));
  const weeks = Math.ceil((before + daysInMonth.getUTCDate()) / 7);
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (_, weekday) => {
      const at = new Date(first);
      at.setUTCDate(1 - before + week * 7 + weekday);
      return at.toISOString().slice(0, 10);
    }),
  );
}

/** The first day of the week in the user's locale, from 1 (Monday) to 7. */
export function firstWeekdayOf(locale: string): number {
  const known: { getWeekInfo?: () => { firstDay: number } } = new Intl.Locale(locale);
  return known.getWeekInfo?.().firstDay ?? 1;
}

/** The day a key moves to from a given day; undefined when it moves nowhere. */
export function moveDay(day: Day, key: string): Day | undefined {
  const steps: Readonly<Record<string, number>> = {
    ...{ ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 },
  };
  const at = new Date(`${day}T00:00:00Z`);
  const step = steps[key];
  if (step !== undefined) at.setUTCDate(at.getUTCDate() + step);
  else if (key === 'PageUp' || key === 'PageDown') return moveMonth(day, key === 'PageUp' ? -1 : 1);
  else return undefined;
  return at.toISOString().slice(0, 10);
}

/** The same day of another month, or its last day. */
export function moveMonth(day: Day, months: number): Day {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  const moved = new Date(Date.UTC(year, month - 1 + months, Math.min(date, last)));
  return moved.toISOString().slice(0, 10);
}
