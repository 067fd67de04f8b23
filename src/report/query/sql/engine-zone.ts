import type { Bind } from '../../dimension.ts';

/** SQL of a time zone by the engine's name for it: an IANA name in its own spelling, or `Fixed/UTC+05:30:00`. */
export function zoneSql(timeZone: string, bind: Bind): string {
  const { timeZoneId } = new Temporal.ZonedDateTime(0n, timeZone);
  const isOffset = /^[+-]/.test(timeZoneId);
  return bind(isOffset ? `Fixed/UTC${timeZoneId}:00` : timeZoneId, 'String');
}
