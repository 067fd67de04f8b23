/** The days that a summary is about, both included. */
export type SummedDays = { readonly from: string; readonly to: string };

/** Mails come in the morning of the first day after. */
const HOUR = 8;

/** The last whole week, from Monday to Sunday, or the last whole month before an instant of a site's zone. */
export function lastWhole(rhythm: 'weekly' | 'monthly', now: number, timezone: string): SummedDays {
  const today = zoned(now, timezone).toPlainDate();
  if (rhythm === 'monthly') {
    const first = today.with({ day: 1 });
    const from = first.subtract({ months: 1 });
    return { from: `${from}`, to: `${first.subtract({ days: 1 })}` };
  }
  const monday = today.subtract({ days: today.dayOfWeek - 1 });
  return { from: `${monday.subtract({ days: 7 })}`, to: `${monday.subtract({ days: 1 })}` };
}

/** Whether days are to be summed up now, for somebody who has summaries until another day. */
export function isDue(
  { to }: SummedDays,
  sentUntil: string,
  now: number,
  timezone: string,
): boolean {
  if (sentUntil >= to) return false;
  const dueAt = Temporal.PlainDate.from(to).add({ days: 1 }).toPlainDateTime({ hour: HOUR });
  return Temporal.PlainDateTime.compare(zoned(now, timezone).toPlainDateTime(), dueAt) >= 0;
}

function zoned(at: number, timezone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone);
}
