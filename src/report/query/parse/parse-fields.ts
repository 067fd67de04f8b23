import type { Fault } from '#contract/fault.ts';
import type { AskedFields } from '#contract/query-fields.ts';
import { isTimeZone } from '#domain/time/is-time-zone.ts';
import { parsePeriod } from '#domain/time/parse-period.ts';
import type { Period } from '#domain/time/period.ts';
import type { ReportSite } from '../../ports.ts';

/** When a query is sent, and when the site's records begin, for `all`: milliseconds, UTC. */
export type Clock = { readonly now: number; readonly earliestAt?: number | undefined };

/** The period of a query; notes a fault and returns `undefined` if invalid. */
export function parseAskedPeriod(
  asked: AskedFields,
  site: ReportSite,
  clock: Clock,
  faults: Fault[],
): Period | undefined {
  const timeZone = asked.timezone ?? site.timezone;
  const isKnown = isTimeZone(timeZone);
  if (!isKnown) {
    const message = `${JSON.stringify(timeZone)} is not a time zone. Use an IANA name such as "Europe/Berlin".`;
    faults.push({ path: '/timezone', message });
  }
  const period = parsePeriod(asked.date_range, { ...clock, timeZone: isKnown ? timeZone : 'UTC' });
  if (period.ok) return isKnown ? period.value : undefined;
  faults.push({ path: '/date_range', message: period.error });
  return undefined;
}
