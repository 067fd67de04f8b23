import type { Fault } from '#contract/fault.ts';
import type { AskedFields } from '#contract/query-fields.ts';
import { isTimeZone } from '#domain/time/is-time-zone.ts';
import { parsePeriod } from '#domain/time/parse-period.ts';
import type { Period } from '#domain/time/period.ts';
import type { ReportSite } from '../../ports.ts';
import type { Filter } from '../filter.ts';
import { parseFilters } from './parse-filter.ts';

/** When a query is asked, and where the site's records begin, for `all`: milliseconds, UTC. */
export type Clock = { readonly now: number; readonly earliestAt?: number | undefined };

/** The period that a query asks about; a fault is noted and leaves `undefined`. */
export function parseAskedPeriod(
  asked: AskedFields,
  site: ReportSite,
  clock: Clock,
  faults: Fault[],
): Period | undefined {
  const timeZone = asked.timezone ?? site.timezone;
  const isKnown = isTimeZone(timeZone);
  if (!isKnown) {
    const message = `${JSON.stringify(timeZone)} is not a time zone; an IANA name such as "Europe/Berlin" is.`;
    faults.push({ path: '/timezone', message });
  }
  const period = parsePeriod(asked.date_range, { ...clock, timeZone: isKnown ? timeZone : 'UTC' });
  if (period.ok) return isKnown ? period.value : undefined;
  faults.push({ path: '/date_range', message: period.error });
  return undefined;
}

/** The filter of a query; faults are noted and leave `undefined`. */
export function parseAskedFilter(asked: AskedFields, faults: Fault[]): Filter | undefined {
  const filter = parseFilters(asked.filters ?? []);
  if (filter.ok) return filter.value;
  faults.push(...filter.error);
  return undefined;
}

/** A period as an answer tells it: two instants in its zone, the second the first one left out. */
export function toAnsweredRange({
  startsAt,
  endsAt,
  timeZone,
}: Pick<Period, 'startsAt' | 'endsAt' | 'timeZone'>): [string, string] {
  const text = (at: number) =>
    Temporal.Instant.fromEpochMilliseconds(at)
      .toZonedDateTimeISO(timeZone)
      .toString({ timeZoneName: 'never', smallestUnit: 'second' });
  return [text(startsAt), text(endsAt)];
}

/** What every answer echoes of its query. */
export function echoOf(
  sent: AskedFields,
  period: Pick<Period, 'startsAt' | 'endsAt' | 'timeZone'>,
) {
  return {
    site_id: sent.site_id,
    date_range: toAnsweredRange(period),
    filters: sent.filters ?? [],
    timezone: period.timeZone,
  };
}
