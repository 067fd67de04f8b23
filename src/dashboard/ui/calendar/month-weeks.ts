/** A calendar day: `2026-11-01`. */
type Day = string;

/** The day `days` later. */
export function addDays(day: Day, days: number): Day {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}

/** The weeks of a day's month, seven days each; the first and last reach into the adjacent months. */
export function monthWeeks(day: Day, firstWeekday: number): Day[][] {
  const first = `${day.slice(0, 7)}-01`;
  const before = (new Date(`${first}T00:00:00Z`).getUTCDay() - (firstWeekday % 7) + 7) % 7;
  const count = Number(addDays(moveMonth(first, 1), -1).slice(8));
  return Array.from({ length: Math.ceil((before + count) / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_, weekday) => addDays(first, week * 7 + weekday - before)),
  );
}

/** The first day of the week in the user's locale, from 1 (Monday) to 7. */
export function firstWeekdayOf(locale: string): number {
  const known: { getWeekInfo?: () => { firstDay: number } } = new Intl.Locale(locale);
  return known.getWeekInfo?.().firstDay ?? 1;
}

const STEPS: Readonly<Record<string, number>> = {
  ...{ ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 },
};

/** The day a key moves to from a given day; undefined when it moves nowhere. */
export function moveDay(day: Day, key: string): Day | undefined {
  if (key === 'PageUp' || key === 'PageDown') return moveMonth(day, key === 'PageUp' ? -1 : 1);
  const step = STEPS[key];
  return step === undefined ? undefined : addDays(day, step);
}

/** The same day of another month, or its last day. */
export function moveMonth(day: Day, months: number): Day {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  const moved = new Date(Date.UTC(year, month - 1 + months, Math.min(date, last)));
  return moved.toISOString().slice(0, 10);
}
