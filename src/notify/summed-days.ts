/** The first and last day of a summary, both included. */
export type SummedDays = { readonly from: string; readonly to: string };

/** Summaries are sent at this hour of the first day after the period. */
const HOUR = 8;

/** The last full week (Monday to Sunday) or month before an instant, in the site's time zone. */
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

/** Whether the summary of these days is due, for a subscriber with summaries up to `sentUntil`. */
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
